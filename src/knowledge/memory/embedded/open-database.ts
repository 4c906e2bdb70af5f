import { closeSync, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ToolError } from '../../../kernel/error.ts'
import { ensureKind, ensureOwn, ensureOwnEntry, makePrivateDirectory } from '../../../machine/state/private-file.ts'
import { memoryError } from '../failure.ts'

const VERSION = 2
/** How long one process waits for another's write. */
export const BUSY_MS = 10_000

/**
 * `change` counts every write, so that a process finds what others wrote since it last looked. `spaces` are embedders:
 * their vectors cannot be compared. A row of `vectors` holds all vectors of one fix, one after the other.
 */
const SCHEMA = `
  CREATE TABLE fixes (
    row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, language TEXT NOT NULL, error_type TEXT NOT NULL,
    confidence REAL NOT NULL, validated INTEGER NOT NULL, created TEXT NOT NULL, body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX fixes_by_time ON fixes (created);
  CREATE TABLE names (name TEXT NOT NULL, row INTEGER NOT NULL, kind TEXT NOT NULL, PRIMARY KEY (name, row))
    STRICT, WITHOUT ROWID;
  CREATE INDEX names_by_row ON names (row);
  CREATE VIRTUAL TABLE words USING fts5(text, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0");
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);
  CREATE VIRTUAL TABLE occurrences USING fts5vocab(words, instance);
  CREATE TABLE spaces (
    space INTEGER PRIMARY KEY AUTOINCREMENT, embedder TEXT NOT NULL, dimension INTEGER NOT NULL,
    active INTEGER NOT NULL, worker TEXT NOT NULL, until INTEGER NOT NULL, directory TEXT NOT NULL DEFAULT '',
    UNIQUE (embedder, dimension)
  ) STRICT;
  CREATE TABLE vectors (
    row INTEGER NOT NULL, space INTEGER NOT NULL, change INTEGER NOT NULL, vectors BLOB NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX vectors_of_fix ON vectors (space, row);
  CREATE INDEX vectors_by_change ON vectors (space, change);
  CREATE TABLE removed (change INTEGER NOT NULL, row INTEGER NOT NULL) STRICT;
  CREATE INDEX removed_by_change ON removed (change);
  CREATE TABLE counter (change INTEGER NOT NULL) STRICT;
  INSERT INTO counter VALUES (1);
  PRAGMA user_version = ${VERSION};
`

const FROM_1 = `
  ALTER TABLE spaces ADD COLUMN directory TEXT NOT NULL DEFAULT '';
  PRAGMA user_version = ${VERSION};
`

const OWNERSHIP = {
  what: 'memory directory',
  hint: 'Make it yours (chown, chmod go-w), or set TOOLWRIGHT_STATE to a directory of your own.',
}

/** Creates the file of fixes if it is missing; only this user may read and write it. Refuses one of another user. */
export function makeFile(file: string): void {
  makePrivateDirectory(dirname(file))
  ensureOwn(dirname(file), OWNERSHIP)
  for (const part of filesOf(file)) {
    ensureOwnEntry(part, OWNERSHIP)
    ensureKind(part, 'file')
  }
  makePrivate(file)
}

/** Opens the file of fixes, created if missing. */
export function openDatabase(file: string): DatabaseSync {
  makeFile(file)
  const database = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    // Not NORMAL: what was acknowledged survives a power cut too.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    if (versionOf(database) < VERSION)
      transact(database, () => {
        // Two processes may open it at the same time.
        const version = versionOf(database)
        if (version < VERSION) database.exec(version === 0 ? SCHEMA : FROM_1)
      })
    if (versionOf(database) > VERSION)
      throw memoryError(
        'store_unreachable',
        `The fixes in ${file} were written by a newer version`,
        'Update toolwright, or set TOOLWRIGHT_STATE to another directory',
      )
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** The file and those that SQLite puts beside it. */
export const filesOf = (file: string): readonly string[] => ['', '-wal', '-shm'].map(ending => file + ending)

/** Does all of the work, or none of it; no other process writes meanwhile. */
export const transact = <T>(database: DatabaseSync, work: () => T): T => within(database, 'BEGIN IMMEDIATE', work)

/** Lets the work read one state of the file, whatever other processes write meanwhile. */
export const snapshot = <T>(database: DatabaseSync, work: () => T): T => within(database, 'BEGIN', work)

function within<T>(database: DatabaseSync, begin: string, work: () => T): T {
  database.exec(begin)
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Reports whether another process kept the file locked for too long. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5

/** SQLite's codes for missing tables, for a damaged database, and for a file that is no database. */
const DAMAGED = new Set([1, 11, 26])

/** Describes a failure of the file. Any other error stays as it is. */
export function storeError(file: string, cause: unknown): unknown {
  if (cause instanceof ToolError || !(cause instanceof Error)) return cause
  if (!('errcode' in cause)) {
    const isSystem = 'syscall' in cause
    return isSystem
      ? memoryError('store_unreachable', `The fixes in ${file} cannot be opened: ${cause.message}`, CHECK, cause)
      : cause
  }
  return DAMAGED.has(Number(cause.errcode) & 0xff)
    ? memoryError(
        'store_unreachable',
        `The fixes in ${file} are damaged: ${cause.message}`,
        'Run toolwright fixes doctor --repair: it saves what can be read, and keeps the damaged file beside the new one',
        cause,
      )
    : memoryError('store_unreachable', `The fixes in ${file} cannot be used: ${cause.message}`, CHECK, cause)
}

const CHECK = 'Check the space on its disk, its permissions, and whether another process keeps it locked'

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'])

/** Only creates, never opens and closes: closing would drop this process's locks on it. */
function makePrivate(file: string): void {
  if (existsSync(file)) return
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}
