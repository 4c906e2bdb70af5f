import { metricsOf, type Counts } from '../../machine/journal/metrics.ts'
import { isCall } from '../../machine/journal/record.ts'
import type { JournalRecord } from '../../machine/journal/chain.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { loadContract } from '../../toolkit.ts'
import { formatBytes } from '../render/format-bytes.ts'
import { say, type Terminal } from './terminal.ts'
import { UsageError } from './usage.ts'

const COLUMNS = ['calls', 'failed', 'refused', 'dry runs', 'changes', 'answers', 'p50', 'p95'] as const

/** `toolwright log --stats`: summarizes the calls by tool and in total. */
export function logStats(records: Iterable<JournalRecord>, json: boolean, terminal: Terminal): void {
  const metrics = metricsOf(records)
  if (json) return say(terminal, jsonLine(metrics))
  if (metrics.from === undefined) return say(terminal, 'No calls recorded here yet.')
  const rows = [...Object.entries(metrics.tools), ['total', metrics.total] as const].map(([tool, counts]) => [
    sanitize(tool),
    ...cells(counts),
  ])
  sayTable(terminal, [['tool', ...COLUMNS], ...rows])
}

/** `toolwright log --stats --contract ID`: shows the figures of its document, under the document's names. */
export async function contractStats(
  records: Iterable<JournalRecord>,
  id: string,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const { metrics } = await loadContract(id)
  if (!metrics) throw new UsageError(`The document of '${id}' defines no figures of its own`, 'log')
  const lines: object[] = []
  for (const record of records)
    if (isCall(record) && record.metrics && !record.dryRun && record.tool.startsWith(`${id}/`))
      lines.push(record.metrics)
  const totals = metrics.totals(lines)
  if (json) return say(terminal, jsonLine(totals))
  if (lines.length === 0) return say(terminal, `No calls of the tools of '${id}' recorded here yet.`)
  for (const [at, [title, figures]] of Object.entries(totals).entries()) {
    if (at > 0) say(terminal, '')
    sayTable(terminal, rowsOf(title, Object.entries(Object(figures))))
  }
}

/** Returns a row for each name with figures of its own, else a line for each figure. */
function rowsOf(title: string, figures: readonly (readonly [string, unknown])[]): readonly (readonly string[])[] {
  if (figures.every(([, value]) => typeof value === 'number'))
    return [[title, ''], ...figures.map(([name, value]) => [sanitize(name), figure(value)])]
  const columns = [...new Set(figures.flatMap(([, row]) => Object.keys(Object(row))))]
  return [
    [title, ...columns],
    ...figures.map(([name, row]) => [sanitize(name), ...columns.map(column => figure(Object(row)[column]))]),
  ]
}

const figure = (value: unknown): string => (typeof value === 'number' ? String(Math.round(value * 1000) / 1000) : '')

/** Aligns names to the left and figures to the right. */
function sayTable(terminal: Terminal, rows: readonly (readonly string[])[]): void {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map(row => row[at]?.length ?? 0)))
  for (const row of rows)
    say(
      terminal,
      row
        .map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
}

const cells = ({ calls, failures, refusals, dryRuns, changed, bytes, p50Ms, p95Ms }: Counts): string[] => [
  ...[calls, failures, refusals, dryRuns, changed].map(String),
  formatBytes(bytes),
  ...[p50Ms, p95Ms].map(ms => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}ms`),
]
