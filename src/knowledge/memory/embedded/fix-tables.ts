import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { ensureInTime } from '../failure.ts'
import type { Fix } from '../fix.ts'
import { bm25Shares, namesOf } from '../rank.ts'
import { searchedText } from '../text/embedding-texts.ts'
import { errorNames } from '../text/error-names.ts'
import { wordsOf } from '../text/words.ts'
import type { FixFilter } from '../types.ts'
import { bytesOf } from './vector-scan.ts'

/** The rest of a longer query is not searched by words. */
const MOST_WORDS = 64

interface StoredRow {
  readonly row: number
  readonly fix: Fix
}

/** Reads and writes the tables; a writer holds a transaction. */
export interface FixTables {
  count(): number
  get(id: string): StoredRow | undefined
  find(row: number): Fix | undefined
  /** Returns the fix of a row that this transaction has seen. */
  fixOf(row: number): Fix
  list(filter: FixFilter | undefined, limit: number, skip: number): readonly Fix[]
  /** Returns the rows that pass. */
  rows(filter: FixFilter | undefined): readonly number[]
  /** Returns the rows that pass; undefined if all do. */
  passing(filter: FixFilter | undefined): ReadonlySet<number> | undefined
  /** Stores a fix in place of one with its id, whose vectors go. Returns its row. */
  put(fix: Fix): number
  /** Changes what is not embedded. */
  change(row: number, fix: Fix): void
  putVectors(row: number, space: number, vectors: readonly Float32Array[]): void
  remove(row: number): void
  /** Returns the share of the query's words that each row holds, 0 to 1, for rows that hold any. */
  wordShares(query: string, dueAt?: number): Map<number, number>
  /** Returns the rows whose error has a code or class that the query names. */
  sameErrors(query: string): Map<number, 'code' | 'class'>
}

export function openTables(database: DatabaseSync): FixTables {
  const statements = prepareAll(database)
  const nextChange = (): number => Number(statements.next.get()?.['change'])
  const index = (row: number, fix: Fix): void => {
    statements.putWords.run(row, wordsOf(searchedText(fix)).join(' '))
    statements.deleteNames.run(row)
    const { codes, classes } = namesOf(fix)
    for (const name of codes) statements.putName.run(name.toLowerCase(), row, 'code')
    for (const name of classes) statements.putName.run(name.toLowerCase(), row, 'class')
  }
  const tables: FixTables = {
    count: () => Number(statements.count.get()?.['count']),
    get(id) {
      const row = statements.byId.get(id)
      return row && { row: Number(row['row']), fix: JSON.parse(String(row['body'])) }
    },
    find(row) {
      const bodyRow = statements.byRow.get(row)
      return bodyRow && JSON.parse(String(bodyRow['body']))
    },
    fixOf(row) {
      const fix = tables.find(row)
      if (!fix) throw new Error(`There is no row ${row}`)
      return fix
    },
    list(filter, limit, skip) {
      const { where, values } = conditionOf(filter)
      const rows = database
        .prepare(`SELECT body FROM fixes ${where} ORDER BY created DESC, row DESC LIMIT ? OFFSET ?`)
        .all(...values, limit, skip)
      return rows.map(({ body }) => JSON.parse(String(body)))
    },
    rows(filter) {
      const { where, values } = conditionOf(filter)
      const all = database.prepare(`SELECT row FROM fixes ${where}`).all(...values)
      return all.map(({ row }) => Number(row))
    },
    passing: filter => (conditionOf(filter).where === '' ? undefined : new Set(tables.rows(filter))),
    put(fix) {
      const currentRow = statements.byId.get(fix.id)
      let row = Number(currentRow?.['row'])
      if (currentRow) statements.update.run(...columnsOf(fix), row)
      else row = Number(statements.insert.run(fix.id, ...columnsOf(fix)).lastInsertRowid)
      index(row, fix)
      if (currentRow) {
        // The vectors that another embedder made are about another text now.
        statements.deleteVectors.run(row)
        statements.removed.run(nextChange(), row)
      }
      return row
    },
    change(row, fix) {
      statements.update.run(...columnsOf(fix), row)
      index(row, fix)
    },
    putVectors: (row, space, vectors) => void statements.putVectors.run(row, space, nextChange(), bytesOf(vectors)),
    remove(row) {
      for (const statement of [
        statements.delete,
        statements.deleteWords,
        statements.deleteNames,
        statements.deleteVectors,
      ])
        statement.run(row)
      statements.removed.run(nextChange(), row)
    },
    wordShares(query, dueAt) {
      const words = [...new Set(wordsOf(query))].slice(0, MOST_WORDS)
      return bm25Shares(
        tables.count(),
        words.map(word => ({
          word,
          having: Number(statements.having.get(word)?.['doc'] ?? 0),
          times() {
            ensureInTime(dueAt)
            return statements.times
              .all(word)
              .map(({ row, times }): readonly [number, number] => [Number(row), Number(times)])
          },
        })),
      )
    },
    sameErrors(query) {
      const kindByRow = new Map<number, 'code' | 'class'>()
      const { codes, classes } = errorNames(query)
      for (const name of [...classes, ...codes])
        for (const { row, kind } of statements.named.all(name.toLowerCase()))
          if (kindByRow.get(Number(row)) !== 'code') kindByRow.set(Number(row), kind === 'code' ? 'code' : 'class')
      return kindByRow
    },
  }
  return tables
}

const prepareAll = (database: DatabaseSync) => ({
  count: database.prepare('SELECT count(*) AS count FROM fixes'),
  byId: database.prepare('SELECT row, body FROM fixes WHERE id = ?'),
  byRow: database.prepare('SELECT body FROM fixes WHERE row = ?'),
  insert: database.prepare(
    'INSERT INTO fixes (id, language, error_type, confidence, validated, created, body) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ),
  update: database.prepare(
    'UPDATE fixes SET language = ?, error_type = ?, confidence = ?, validated = ?, created = ?, body = ? WHERE row = ?',
  ),
  delete: database.prepare('DELETE FROM fixes WHERE row = ?'),
  putWords: database.prepare('INSERT OR REPLACE INTO words (rowid, text) VALUES (?, ?)'),
  deleteWords: database.prepare('DELETE FROM words WHERE rowid = ?'),
  having: database.prepare('SELECT doc FROM vocabulary WHERE term = ?'),
  times: database.prepare('SELECT doc AS row, count(*) AS times FROM occurrences WHERE term = ? GROUP BY doc'),
  putName: database.prepare('INSERT OR IGNORE INTO names (name, row, kind) VALUES (?, ?, ?)'),
  deleteNames: database.prepare('DELETE FROM names WHERE row = ?'),
  named: database.prepare('SELECT row, kind FROM names WHERE name = ?'),
  putVectors: database.prepare('INSERT OR REPLACE INTO vectors (row, space, change, vectors) VALUES (?, ?, ?, ?)'),
  deleteVectors: database.prepare('DELETE FROM vectors WHERE row = ?'),
  next: database.prepare('UPDATE counter SET change = change + 1 RETURNING change'),
  removed: database.prepare('INSERT INTO removed (change, row) VALUES (?, ?)'),
})

const columnsOf = (fix: Fix): readonly [string, string, number, number, string, string] => [
  fix.language.toLowerCase(),
  fix.errorType.toLowerCase(),
  fix.confidence,
  fix.userValidated ? 1 : 0,
  new Date(fix.createdAt).toISOString(),
  JSON.stringify(fix),
]

function conditionOf({ language, errorType, minConfidence, userValidated }: FixFilter = {}): {
  readonly where: string
  readonly values: readonly SQLInputValue[]
} {
  const parts: readonly (readonly [string, SQLInputValue | undefined])[] = [
    ['language = ?', language?.toLowerCase()],
    ['error_type = ?', errorType?.toLowerCase()],
    ['confidence >= ?', minConfidence === 0 ? undefined : minConfidence],
    ['validated = ?', userValidated === undefined ? undefined : Number(userValidated)],
  ]
  const conditions = parts.filter((part): part is readonly [string, SQLInputValue] => part[1] !== undefined)
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.map(([condition]) => condition).join(' AND ')}`,
    values: conditions.map(([, value]) => value),
  }
}
