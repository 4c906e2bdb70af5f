import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  attempt,
  forgetCacheDatabase,
  openCacheDatabase,
  writeCache,
} from '../../../../machine/state/cache-database.ts'
import { countDatabase } from '../../../../machine/upkeep/growth.ts'
import type { FileModel } from '../../../../languages/file-model/file-model.ts'

/** Models of files by content: a file is parsed once, however many commits contain it. */
export interface CodeCache {
  get(key: string): FileModel | undefined
  /** Stores all of them at once. */
  put(found: ReadonlyMap<string, FileModel>): void
  close(): void
}

/** Increases when parsing returns something else for the same file. */
const VERSION = 23
const MOST_BYTES = 512 * 1024 ** 2

const TABLES = 'CREATE TABLE IF NOT EXISTS code (key TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID'
const NOTHING: CodeCache = { get: () => undefined, put() {}, close() {} }

/** Opens the cache file. Recreates a damaged, old or oversized one; if that fails, nothing is cached. */
export function openCodeCache(file: string): CodeCache {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MOST_BYTES) forgetCacheDatabase(file)
  const use = (database: DatabaseSync) => over(database, countDatabase(file))
  return openCacheDatabase(file, { version: VERSION, tables: TABLES, timeoutMs: 2000 }, use) ?? NOTHING
}

function over(database: DatabaseSync, count: () => void): CodeCache {
  const one = database.prepare('SELECT data FROM code WHERE key = ?')
  const add = database.prepare('INSERT OR REPLACE INTO code VALUES (?, ?)')
  return {
    get(key) {
      return attempt(() => {
        const data = one.get(key)?.['data']
        return data instanceof Uint8Array ? JSON.parse(zstdDecompressSync(data).toString()) : undefined
      })
    },
    put(found) {
      if (found.size === 0) return
      writeCache(database, () => {
        for (const [key, code] of found) add.run(key, zstdCompressSync(JSON.stringify(code)))
      })
      count()
    },
    close: () => database.close(),
  }
}
