import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { checkFix, type Fix } from '../fix.ts'
import { openTables } from './fix-tables.ts'
import { BUSY_MS, filesOf, isBusy, openDatabase, storeError, transact } from './open-database.ts'

interface Repaired {
  /** How many fixes could be read. */
  readonly saved: number
  /** How many could not. */
  readonly lost: number
  /** Where the damaged file is now. */
  readonly kept: string
}

/**
 * Replaces a damaged file by one with the fixes that can be read in it. Their vectors and the index of words are made
 * anew: the vectors with the next use. The damaged file stays beside it. Returns undefined if there is no file, or one
 * that is not damaged, which stays: another process may be writing to it.
 */
export function repairStore(file: string): Repaired | undefined {
  if (!existsSync(file) || isSound(file)) return undefined
  // Other processes wait, and then find that the file was replaced.
  const unlock = lockDamaged(file)
  try {
    // Another process may have repaired it meanwhile.
    return isSound(file) ? undefined : replaceDamaged(file)
  } finally {
    unlock()
  }
}

function replaceDamaged(file: string): Repaired {
  const { fixes, lost } = readableFixes(file)
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const [fresh, damagedFile] = [`${file}.repaired-${stamp}`, `${file}.damaged-${stamp}`]
  const database = openDatabase(fresh)
  try {
    const tables = openTables(database)
    transact(database, () => fixes.forEach(fix => tables.put(fix)))
    // All into the one file, which alone is renamed.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
  for (const [at, part] of filesOf(file).entries())
    if (existsSync(part)) renameSync(part, filesOf(damagedFile)[at] ?? damagedFile)
  renameSync(fresh, file)
  return { saved: fixes.length, lost, kept: damagedFile }
}

/** Keeps other processes from writing; a file that is too damaged to be locked cannot be written either. */
function lockDamaged(file: string): () => void {
  const database = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    if (isBusy(error)) {
      database.close()
      throw storeError(file, error)
    }
  }
  return () => database.close()
}

function isSound(file: string): boolean {
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    const verdict = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
    const counts = database.prepare(
      'SELECT (SELECT count(*) FROM fixes) AS fixes, (SELECT count(*) FROM words_docsize) AS indexed',
    )
    const { fixes, indexed } = counts.get() ?? {}
    return verdict === 'ok' && fixes === indexed
  } catch {
    return false
  } finally {
    database?.close()
  }
}

interface ReadableFixes {
  readonly fixes: readonly Fix[]
  readonly lost: number
}

/** Reads row by row, on a copy: a damaged page hides only the fixes in it. */
function readableFixes(file: string): ReadableFixes {
  const copy = `${file}.copy-${process.pid}`
  try {
    for (const [at, part] of filesOf(file).slice(0, 2).entries())
      if (existsSync(part)) copyFileSync(part, filesOf(copy)[at] ?? copy)
    fillUp(copy)
    return rowsOf(copy)
  } finally {
    for (const part of filesOf(copy)) rmSync(part, { force: true })
  }
}

/** SQLite refuses a file that is shorter than its header says, whatever is asked. Missing pages are only damaged ones. */
function fillUp(file: string): void {
  const header = Buffer.alloc(32)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header, 0, header.length, 0)
  } finally {
    closeSync(descriptor)
  }
  const size = header.readUInt32BE(28) * (header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16))
  if (header.toString('latin1', 0, 15) === 'SQLite format 3' && statSync(file).size < size) truncateSync(file, size)
}

function rowsOf(file: string): ReadableFixes {
  const fixes = new Map<string, Fix>()
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file)
    const byRow = database.prepare('SELECT body FROM fixes WHERE row = ?')
    let unreadable = 0
    for (let row = lastRow(database); row > 0; row--) {
      try {
        const readRow = byRow.get(row)
        const fix = readRow && fixIn(readRow['body'])
        if (fix) fixes.set(fix.id, fix)
        else if (readRow) unreadable++
      } catch {
        unreadable++
      }
    }
    return { fixes: [...fixes.values()].toReversed(), lost: countLost(database, fixes.size) ?? unreadable }
  } catch {
    return { fixes: [...fixes.values()], lost: 0 }
  } finally {
    database?.close()
  }
}

/** Returns the highest row that was ever given to a fix. */
function lastRow(database: DatabaseSync): number {
  const queries = ["SELECT seq AS last FROM sqlite_sequence WHERE name = 'fixes'", 'SELECT max(row) AS last FROM fixes']
  for (const query of queries)
    try {
      return Number(database.prepare(query).get()?.['last'] ?? 0)
    } catch {
      // The other one may lie in another page.
    }
  return 0
}

/** Returns how many fixes an index knows that were not read; undefined if no index can be read. */
function countLost(database: DatabaseSync, saved: number): number | undefined {
  try {
    const { count } = database.prepare('SELECT count(*) AS count FROM fixes').get() ?? {}
    return Math.max(0, Number(count) - saved)
  } catch {
    return undefined
  }
}

function fixIn(body: unknown): Fix | undefined {
  try {
    return checkFix(JSON.parse(String(body)))
  } catch {
    return undefined
  }
}
