import { join } from 'node:path'
import { attempt, openCacheDatabase, writeCache } from '../../../machine/state/cache-database.ts'
import { makePrivateDirectory } from '../../../machine/state/private-file.ts'

/** Answers of the sources as they came, with their age. */
export interface AnswerCache {
  get(key: string): { readonly body: string; readonly ageMs: number } | undefined
  set(key: string, body: string): void
  close(): void
}

const MOST_ANSWERS = 1_000
const NOTHING: AnswerCache = { get: () => undefined, set() {}, close() {} }

/** Opens the cache in a directory of ours; without a usable one nothing is kept. */
export function openAnswerCache(directory: string, now: () => number = Date.now): AnswerCache {
  attempt(() => makePrivateDirectory(directory))
  const tables = 'CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL)'
  const cache = openCacheDatabase(
    join(directory, 'answers.sqlite'),
    { version: 1, tables, timeoutMs: 300 },
    (database): AnswerCache => {
      const find = database.prepare('SELECT at, body FROM answers WHERE key = ?')
      const insert = database.prepare('INSERT OR REPLACE INTO answers (key, at, body) VALUES (?, ?, ?)')
      const trim = database.prepare(
        `DELETE FROM answers WHERE key IN (SELECT key FROM answers ORDER BY at DESC LIMIT -1 OFFSET ${MOST_ANSWERS})`,
      )
      return {
        get(key) {
          const row = attempt(() => find.get(key))
          if (!row) return undefined
          const ageMs = now() - Number(row['at'])
          // Made while the clock was ahead: of no known age.
          return ageMs < 0 ? undefined : { body: String(row['body']), ageMs }
        },
        set: (key, body) =>
          writeCache(database, () => {
            insert.run(key, now(), body)
            trim.run()
          }),
        close: () => void attempt(() => database.close()),
      }
    },
  )
  return cache ?? NOTHING
}
