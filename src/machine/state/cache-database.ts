import { closeSync, fchmodSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

interface CacheSettings {
  /** Goes up when the same input gives other contents; a database of another version is begun anew. */
  readonly version: number
  /** Statements that make its tables where they are not there. */
  readonly tables: string
  /** How long one process waits for another that writes. */
  readonly timeoutMs: number
}

/** Opens a database that is only kept for speed. A damaged or old one is begun anew; undefined if none can be had. */
export function openCacheDatabase<T>(
  file: string,
  settings: CacheSettings,
  use: (database: DatabaseSync) => T,
): T | undefined {
  const open = () => attempt(() => opened(file, settings, use))
  const first = open()
  if (first) return first
  forgetCacheDatabase(file)
  return open()
}

export function forgetCacheDatabase(file: string): void {
  attempt(() => {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(file + ending, { force: true, recursive: true })
  })
}

/** Writes all of it or nothing. What is only kept for speed is not worth a failure. */
export function writeCache(database: DatabaseSync, write: () => void): void {
  attempt(() => {
    database.exec('BEGIN IMMEDIATE')
    write()
    database.exec('COMMIT')
  })
  if (database.isTransaction) attempt(() => database.exec('ROLLBACK'))
}

/** What work gives; undefined if it fails. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function opened<T>(file: string, { version, tables, timeoutMs }: CacheSettings, use: (database: DatabaseSync) => T): T {
  makePrivate(file)
  const database = new DatabaseSync(file, { timeout: timeoutMs })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (found !== 0 && found !== version) throw new Error('kept by another version')
    database.exec(`${tables}; PRAGMA user_version = ${version}`)
    return use(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite would make it readable for all; the files beside it get the bits that it has. */
function makePrivate(file: string): void {
  const fd = openSync(file, 'a', 0o600)
  try {
    fchmodSync(fd, 0o600)
  } finally {
    closeSync(fd)
  }
}
