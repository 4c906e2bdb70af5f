import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ToolError } from '../../kernel/error.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import { ensureKind, makePrivateDirectory } from './private-file.ts'

/** Opens a database that only this user reads, with its directory; `use` sets it up. */
export function openPrivateDatabase<T>(file: string, use: (database: DatabaseSync) => T): T {
  makePrivateDirectory(dirname(file))
  makePrivate(file)
  const database = new DatabaseSync(file, { timeout: 10_000 })
  try {
    return use(database)
  } catch (error) {
    database.close()
    throw error
  }
}

/** One transaction decides, so that two concurrent requests do not both succeed. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** SQLite's codes for other tables, for a damaged database, and for a file that is no database. */
const DAMAGED = new Set([1, 11, 26])

/** Describes a failure of the file; undefined for any other error. `removed` says what follows from removing it. */
export function databaseError(
  { file, what, removed }: { readonly file: string; readonly what: string; readonly removed: string },
  cause: unknown,
): ToolError | undefined {
  if (!(cause instanceof Error) || !('errcode' in cause)) return undefined
  const isDamaged = DAMAGED.has(Number(cause.errcode) & 0xff)
  const hint = isDamaged
    ? `Remove it: rm ${quoteArgv([file])}*. ${removed}`
    : 'Check the space on its disk, its permissions, and whether another process keeps it locked.'
  const state = isDamaged ? 'is damaged' : 'cannot be used'
  return new ToolError('io', `${what} ${file} ${state}: ${cause.message}.`, { hint, cause })
}

/** Only creates, never opens and closes: closing would drop this process's locks on it. */
function makePrivate(file: string): void {
  ensureKind(file, 'file')
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
