import { existsSync, renameSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { memoryError } from '../failure.ts'
import { checkFix, type Fix } from '../fix.ts'
import { openTables } from './fix-tables.ts'
import { BUSY_MS, filesOf, isBusy, openDatabase, storeError, transact } from './open-database.ts'

interface Repaired {
  /** How many fixes could be read. */
  readonly saved: number
  /** Where the damaged file is now. */
  readonly kept: string
}

/**
 * Replaces a damaged file by one with the fixes that can be read in it. Their vectors and the index of words are made
 * anew: the vectors with the next use. The damaged file stays beside it. Returns undefined for a file that is not
 * damaged, which stays: another process may be writing to it.
 */
export function repairStore(file: string): Repaired | undefined {
  if (!existsSync(file))
    throw memoryError('store_unreachable', `There are no fixes in ${file}`, 'Nothing has to be repaired')
  if (isSound(file)) return undefined
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
  const fixes = readableFixes(file)
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const [fresh, kept] = [`${file}.repaired-${stamp}`, `${file}.damaged-${stamp}`]
  const database = openDatabase(fresh)
  try {
    const tables = openTables(database)
    transact(database, () => fixes.forEach(fix => tables.put(fix)))
    // All into the one file, which alone is renamed.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
  for (const [at, part] of filesOf(file).entries()) if (existsSync(part)) renameSync(part, filesOf(kept)[at] ?? kept)
  renameSync(fresh, file)
  return { saved: fixes.length, kept }
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

/** Reads from both ends: what lies behind a damaged page is still found from the other side. */
function readableFixes(file: string): readonly Fix[] {
  const found = new Map<string, Fix>()
  for (const order of ['ASC', 'DESC']) {
    let database: DatabaseSync | undefined
    try {
      database = new DatabaseSync(file, { readOnly: true })
      for (const { body } of database.prepare(`SELECT body FROM fixes ORDER BY row ${order}`).iterate()) {
        const fix = fixIn(body)
        if (fix) found.set(fix.id, fix)
      }
    } catch {
      // The rest cannot be read in this order.
    } finally {
      database?.close()
    }
  }
  return [...found.values()]
}

function fixIn(body: unknown): Fix | undefined {
  try {
    return checkFix(JSON.parse(String(body)))
  } catch {
    return undefined
  }
}
