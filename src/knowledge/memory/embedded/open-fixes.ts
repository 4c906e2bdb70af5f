import { statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { openTables, type FixTables } from './fix-tables.ts'
import { makeFile, openDatabase } from './open-database.ts'
import { openSpaces, type Space, type Spaces } from './spaces.ts'
import { openVectorScan, type VectorScan } from './vector-scan.ts'

/** The open file. */
export interface OpenFixes {
  readonly database: DatabaseSync
  readonly tables: FixTables
  readonly spaces: Spaces
  /** Returns the vectors of a space, up to date. */
  scan(space: Space, dueAt?: number): VectorScan
  /** Reports whether the file is still the one that was opened: a repair replaces it. */
  isCurrent(): boolean
  /** Reports whether a row still holds this text. */
  isUnchanged(row: number, body: string): boolean
  close(): void
}

export function openFixes(file: string): OpenFixes {
  makeFile(file)
  // Before it is opened: one that is replaced in between is opened again, and never taken for the old one.
  const identity = identityOf(file)
  const database = openDatabase(file)
  try {
    const bodyOf = database.prepare('SELECT body FROM fixes WHERE row = ?')
    const scans = new Map<number, VectorScan>()
    return {
      database,
      tables: openTables(database),
      spaces: openSpaces(database),
      scan({ space, dimension }, dueAt) {
        // A swap leaves one space; the vectors of the others are of no use.
        if (!scans.has(space) && scans.size > 1) scans.clear()
        const scan = scans.get(space) ?? openVectorScan(database, space, dimension)
        scans.set(space, scan)
        scan.refresh(dueAt)
        return scan
      },
      isCurrent: () => identityOf(file) === identity,
      isUnchanged: (row, body) => bodyOf.get(row)?.['body'] === body,
      close: () => database.close(),
    }
  } catch (error) {
    database.close()
    throw error
  }
}

const identityOf = (file: string): string | undefined => {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats && `${stats.dev}:${stats.ino}`
}
