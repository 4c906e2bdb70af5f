import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CodeGraph } from '../code-graph.ts'
import { closeResults, type Ladybug, type LadybugConnection } from './ladybug.ts'
import { schemaStatements } from './schema.ts'

export const BUFFER_BYTES = 256 * 1024 ** 2
/** Address space for one database; the engine's own default exceeds what some machines allow. */
export const MOST_BYTES = 8 * 1024 ** 3

/** Writes a graph to a database file. */
export const writeDatabase = (ladybug: Ladybug, graph: CodeGraph, file: string): Promise<void> =>
  madeDatabase(
    ladybug,
    file,
    () => undefined,
    async (connection, scratch) => {
      for (const statement of schemaStatements()) await closeResults(connection.query(statement))
      for (const { rows, copy } of tables(graph)) {
        const csv = join(scratch, 'rows.csv')
        writeFileSync(csv, rows.join('\n'), { mode: 0o600 })
        await closeResults(connection.query(`COPY ${copy(csv)}`))
      }
    },
  )

/** Creates a database file, complete or not at all; all work is one transaction. */
export async function madeDatabase(
  ladybug: Ladybug,
  file: string,
  begin: (made: string) => void,
  work: (connection: LadybugConnection, scratch: string) => Promise<void>,
): Promise<void> {
  const scratch = mkdtempSync(join(dirname(file), 'build-'))
  try {
    const scratchFile = join(scratch, 'graph.lbug')
    begin(scratchFile)
    const database = new ladybug.Database(scratchFile, BUFFER_BYTES, true, false, MOST_BYTES)
    try {
      const connection = new ladybug.Connection(database, 1)
      try {
        await closeResults(connection.query('BEGIN TRANSACTION'))
        await work(connection, scratch)
        await closeResults(connection.query('COMMIT'))
        await closeResults(connection.query('CHECKPOINT'))
      } finally {
        await connection.close()
      }
    } finally {
      await database.close()
    }
    renameSync(scratchFile, file)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

interface Table {
  readonly rows: string[]
  copy(csv: string): string
}

/** No text stands for null: an empty one is itself. */
const FORMAT = `HEADER=false, DELIM=',', QUOTE='"', ESCAPE='"', PARALLEL=false, NULL_STRINGS=['\u0000']`

/** Nodes before their relations. */
function tables({ nodes, edges }: CodeGraph): Iterable<Table> {
  const tableByKey = new Map<string, Table>()
  const put = (key: string, row: readonly string[], copy: (csv: string) => string): void => {
    const table = tableByKey.get(key) ?? { rows: [], copy }
    tableByKey.set(key, table)
    table.rows.push(row.join(','))
  }
  for (const { id, label, name, path, lines, signature, language, exported } of nodes)
    put(
      label,
      [...[id, name, path, `[${lines.join(',')}]`, signature, language].map(quoteField), String(exported)],
      csv => `${label} FROM ${literal(csv)} (${FORMAT})`,
    )
  for (const { relation, from, to, line, name, direct } of edges)
    put(
      `${relation} ${from.label} ${to.label}`,
      [quoteField(from.id), quoteField(to.id), String(line), quoteField(name), String(direct)],
      csv => `${relation} FROM ${literal(csv)} (${FORMAT}, from='${from.label}', to='${to.label}')`,
    )
  return tableByKey.values()
}

/** A row is one line: line breaks become blanks. */
export const plainText = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')

const quoteField = (text: string): string => `"${plainText(text).replaceAll('"', '""')}"`

const literal = (path: string): string => `'${path.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
