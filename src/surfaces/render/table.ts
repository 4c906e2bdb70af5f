import { sanitize } from '../../kernel/sanitize.ts'
import type { Style } from './paint.ts'
import { inWords, objectsIn, textsIn, type Fields } from './shape.ts'

const WIDEST = 60

/** Rows under the names of their columns. */
export function tableLines(
  columns: readonly string[],
  rows: readonly Fields[],
  { paint }: Style,
  named: (column: string) => string = column => column,
): string[] {
  const cells = rows.map(row => columns.map(column => sanitize(cellText(row[column]), { max: WIDEST })))
  const heads = columns.map(column => sanitize(named(column), { max: WIDEST }))
  const widths = heads.map((head, at) => Math.max(head.length, ...cells.map(row => row[at]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  return [paint('bold', line(heads)), ...cells.map(line)]
}

/** Objects of a list, with their fields as columns. */
export const listLines = (list: readonly Fields[], style: Style): string[] =>
  tableLines(columnsOf(list), list, style, inWords)

/** Every column that has something in it, in the order of the rows. */
const columnsOf = (rows: readonly Fields[]): string[] =>
  [...new Set(rows.flatMap(row => Object.keys(row)))].filter(column => rows.some(row => cellText(row[column]) !== ''))

/** A node of a graph is shown by its id, a list by what is in it. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(cellText).join(', ')
  if (typeof value === 'object') return 'id' in value ? String(value.id) : JSON.stringify(value)
  return String(value)
}

/** The columns and rows of an answer. */
export const rowsLines = ({ columns, rows }: Fields, style: Style): string[] =>
  tableLines(textsIn(columns) ?? [], objectsIn(rows) ?? [], style)
