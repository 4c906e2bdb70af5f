import { closeSync, fchmodSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

interface CacheSettings {
  /** Increases when the same input gives other contents; a database of another version is recreated. */
  readonly version: number
  /** Statements that create missing tables. */
  readonly tables: string
  /** Time that one process waits for another's write. */
  readonly timeoutMs: number
}

/** Opens a cache database. Recreates a damaged or old one. Returns undefined if it cannot be created. */
export function openCacheDatabase<T>(
  file: string,
  settings: CacheSettings,
  use: (database: DatabaseSync) => T,
): T | undefined {
  const open = () => attempt(() => useDatabase(file, settings, use))
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

/** Writes all or nothing. Returns whether it did; a failure is no error, since a cache is optional. */
export function writeCache(database: DatabaseSync, write: () => void): boolean {
  const isWritten = attempt(() => {
    database.exec('BEGIN IMMEDIATE')
    write()
    database.exec('COMMIT')
    return true
  })
  if (database.isTransaction) attempt(() => database.exec('ROLLBACK'))
  return isWritten ?? false
}

/** Returns the result of `work`, or undefined if it fails. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

function useDatabase<T>(
  file: string,
  { version, tables, timeoutMs }: CacheSettings,
  use: (database: DatabaseSync) => T,
): T {
  makePrivate(file)
  const database = new DatabaseSync(file, { timeout: timeoutMs })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF')
    const storedVersion = Number(database.prepare('PRAGMA user_version').get()?.['user_version'])
    if (storedVersion !== 0 && storedVersion !== version) throw new Error('kept by another version')
    database.exec(`${tables}; PRAGMA user_version = ${version}`)
    return use(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/** SQLite would make it readable for all; its side files inherit its permissions. */
function makePrivate(file: string): void {
  const fd = openSync(file, 'a', 0o600)
  try {
    fchmodSync(fd, 0o600)
  } finally {
    closeSync(fd)
  }
}
