import { namedTwice } from '../query-error.ts'
import { queryParameters } from './query-parameters.ts'
import type { Ladybug, LadybugResult } from './ladybug.ts'
import { BUFFER_BYTES, MOST_BYTES } from './write-database.ts'

export interface Question {
  readonly query: string
  readonly params: Readonly<Record<string, unknown>>
  readonly maxRows: number
  readonly maxBytes: number
  readonly timeoutMs: number
}

export interface Rows {
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly truncated: boolean
}

interface OpenDatabase {
  /** Throws with the database's own message. */
  ask(question: Question): Promise<Rows>
  close(): Promise<void>
}

/** Opens a stored graph read-only. */
export function openDatabase(ladybug: Ladybug, file: string): OpenDatabase {
  const database = new ladybug.Database(file, BUFFER_BYTES, true, true, MOST_BYTES)
  const running = new Set<Promise<Rows>>()
  return {
    async ask(question) {
      const answer = runQuestion(question)
      running.add(answer)
      return answer.finally(() => running.delete(answer))
    },
    async close() {
      await Promise.allSettled(running)
      await database.close()
    },
  }

  async function runQuestion({ query, params, maxRows, maxBytes, timeoutMs }: Question): Promise<Rows> {
    const connection = new ladybug.Connection(database, 1)
    try {
      connection.setQueryTimeout(timeoutMs)
      const statement = await connection.prepare(query)
      if (!statement.isSuccess()) throw new Error(statement.getErrorMessage())
      const results = [await connection.execute(statement, queryParameters(query, params))].flat()
      try {
        const [result] = results
        return result ? await rowsOf(result, maxRows, maxBytes) : { columns: [], rows: [], truncated: false }
      } finally {
        for (const result of results) result.close()
      }
    } finally {
      await connection.close()
    }
  }
}

async function rowsOf(result: LadybugResult, maxRows: number, maxBytes: number): Promise<Rows> {
  const names = await result.getColumnNames()
  const columns = names.map(columnName)
  const twice = columns.find((name, at) => columns.indexOf(name) !== at)
  if (twice !== undefined) throw namedTwice(twice)
  const rows: Record<string, unknown>[] = []
  let bytes = 0
  while (result.hasNext()) {
    const record = await result.getNext()
    const row = Object.fromEntries(names.map((name, at) => [columns[at] ?? name, plain(record[name])]))
    bytes += JSON.stringify(row).length
    if (rows.length >= maxRows || bytes > maxBytes) return { columns, rows, truncated: true }
    rows.push(row)
  }
  return { columns, rows, truncated: false }
}

/** The database names `label(f)` after all possible labels. */
const columnName = (name: string): string => name.replace(/^LABEL\((\w+)\._ID,.*\)$/, 'label($1)')

/** A value as JSON; a node as its properties and label, without the database's internal ids. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), plain(each)]))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !/^_(id|src|dst)$/.test(name))
  return Object.fromEntries(entries.map(([name, each]) => [NAMED[name] ?? name, plain(each)]))
}

const NAMED: Readonly<Record<string, string>> = { _label: 'label', _nodes: 'nodes', _rels: 'relations' }
