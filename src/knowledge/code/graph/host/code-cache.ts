import { rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { FileModel } from '../../../model/file-model.ts'

/** What files say, by their content: a file is parsed once, however many commits have it. */
export interface CodeCache {
  get(key: string): FileModel | undefined
  /** Keeps all of them at once. */
  put(found: ReadonlyMap<string, FileModel>): void
  close(): void
}

/** Goes up when parsing says something else of the same file. */
const VERSION = 13
const MOST_BYTES = 512 * 1024 ** 2

/** Opens the cache in a file; a damaged, old or overgrown one is begun anew, and where none can be had nothing is kept. */
export function openCodeCache(file: string): CodeCache {
  if (sizeOf(file) > MOST_BYTES) forget(file)
  try {
    return opened(file)
  } catch {
    forget(file)
  }
  try {
    return opened(file)
  } catch {
    return { get: () => undefined, put() {}, close() {} }
  }
}

function opened(file: string): CodeCache {
  const database = new DatabaseSync(file, { timeout: 2000 })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (version !== 0 && version !== VERSION) throw new Error('kept by another version')
    database.exec(
      `CREATE TABLE IF NOT EXISTS code (key TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID; PRAGMA user_version = ${VERSION}`,
    )
    return over(database)
  } catch (error) {
    database.close()
    throw error
  }
}

function over(database: DatabaseSync): CodeCache {
  const one = database.prepare('SELECT data FROM code WHERE key = ?')
  const add = database.prepare('INSERT OR REPLACE INTO code VALUES (?, ?)')
  return {
    get(key) {
      try {
        const data = one.get(key)?.['data']
        return data instanceof Uint8Array ? JSON.parse(zstdDecompressSync(data).toString()) : undefined
      } catch {
        return undefined
      }
    },
    put(found) {
      if (found.size === 0) return
      try {
        database.exec('BEGIN IMMEDIATE')
        for (const [key, code] of found) add.run(key, zstdCompressSync(JSON.stringify(code)))
        database.exec('COMMIT')
      } catch {
        if (database.isTransaction) database.exec('ROLLBACK')
      }
    },
    close: () => database.close(),
  }
}

const forget = (file: string): void => {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(file + ending, { force: true })
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
