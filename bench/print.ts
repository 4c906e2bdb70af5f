import type { Goal, Report, Row } from './bench.ts'

/** A report for people. */
export function printed(name: string, report: Report, machine: Readonly<Record<string, string>>): string {
  const facts = Object.entries(machine).map(([key, value]) => `  ${key}: ${value}`)
  return [
    name,
    ...facts,
    '',
    ...table(report.rows),
    '',
    ...(report.notes ?? []).map(note => `  ${note}`),
    ...report.goals.map(line),
  ].join('\n')
}

const line = ({ what, limit, measured, met }: Goal): string =>
  `${met ? 'met   ' : 'MISSED'}  ${what}: ${measured} (goal ${limit})`

function table(rows: readonly Row[]): string[] {
  const columns = [...new Set(rows.flatMap(({ cells }) => Object.keys(cells)))]
  const body = rows.map(({ what, cells }) => [what, ...columns.map(column => shown(cells[column]))])
  const all = [['', ...columns], ...body]
  const widths = ['', ...columns].map((_, at) => Math.max(...all.map(row => row[at]?.length ?? 0)))
  return all.map(row =>
    row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart((widths[at] ?? 0) + 2)))
      .join('')
      .trimEnd(),
  )
}

const shown = (value: string | number | undefined): string => {
  if (typeof value !== 'number') return value ?? ''
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value < 10 ? 2 : 1)
}
