import { sanitize } from '../../kernel/sanitize.ts'
import type { Style } from './paint.ts'
import { inWords, objectsIn, textsIn, type Fields } from './shape.ts'

const WIDEST = 60

/** Renders rows below their column names. */
export function tableLines(
  columns: readonly string[],
  rows: readonly Fields[],
  { paint, widest = WIDEST, tabs = false }: Style,
  titleOf: (column: string) => string = column => column,
): string[] {
  const cells = rows.map(row => columns.map(column => sanitize(cellText(row[column]), { max: widest })))
  const heads = columns.map(column => sanitize(titleOf(column), { max: WIDEST }))
  if (tabs) return [heads, ...cells].map(row => row.join('\t').trimEnd())
  // A long cell makes the others no wider.
  const widths = heads.map((head, at) =>
    cells.reduce((most, row) => Math.max(most, Math.min(WIDEST, row[at]?.length ?? 0)), head.length),
  )
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [paint('bold', line(heads)), ...cells.map(line)]
}

/** Renders a list of objects, with their fields as columns. */
export const listLines = (list: readonly Fields[], style: Style): string[] =>
  tableLines(columnsOf(list), list, style, inWords)

/** Returns every column with a value, in the order of the rows. */
const columnsOf = (rows: readonly Fields[]): string[] =>
  [...new Set(rows.flatMap(row => Object.keys(row)))].filter(column => rows.some(row => cellText(row[column]) !== ''))

/** Shows a node of a graph by its id, and a list by its items. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(cellText).join(', ')
  if (typeof value === 'object') return 'id' in value ? String(value.id) : JSON.stringify(value)
  return String(value)
}

/** Renders the columns and rows of an answer. */
export const rowsLines = ({ columns, rows }: Fields, style: Style): string[] =>
  tableLines(textsIn(columns) ?? [], objectsIn(rows) ?? [], style)
