import { metricsOf, type Counts } from '../../engines/journal/metrics.ts'
import { isCall } from '../../engines/journal/record.ts'
import type { JournalRecord } from '../../engines/journal/chain.ts'
import { inert } from '../../kernel/inert.ts'
import { jsonLine } from '../../kernel/json-line.ts'
import { loadContract } from '../../toolkit.ts'
import { bytesInWords } from './bytes-in-words.ts'
import { say, type Terminal } from './terminal.ts'
import { UsageError } from './usage.ts'

const COLUMNS = ['calls', 'failed', 'refused', 'dry runs', 'changes', 'answers', 'p50', 'p95'] as const

/** `toolwright log --stats`: what the calls came to, by tool and in total. */
export function logStats(records: Iterable<JournalRecord>, json: boolean, terminal: Terminal): void {
  const metrics = metricsOf(records)
  if (json) return say(terminal, jsonLine(metrics))
  if (metrics.from === undefined) return say(terminal, 'Nothing was done here yet.')
  const rows = [...Object.entries(metrics.tools), ['total', metrics.total] as const].map(([tool, counts]) => [
    inert(tool),
    ...cells(counts),
  ])
  const widths = ['tool', ...COLUMNS].map((name, at) => Math.max(name.length, ...rows.map(row => row[at]?.length ?? 0)))
  for (const row of [['tool', ...COLUMNS], ...rows])
    say(
      terminal,
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
}

/** `toolwright log --stats --contract ID`: the figures that its document asks for, as JSON. */
export async function contractStats(records: Iterable<JournalRecord>, id: string, terminal: Terminal): Promise<void> {
  const { metrics } = await loadContract(id)
  if (!metrics) throw new UsageError(`The document of '${id}' asks for no figures of its own`, 'log')
  const lines: object[] = []
  for (const record of records)
    if (isCall(record) && record.metrics && !record.dryRun && record.tool.startsWith(`${id}/`))
      lines.push(record.metrics)
  say(
    terminal,
    terminal.stdout.isTTY ? JSON.stringify(metrics.totals(lines), null, 2) : jsonLine(metrics.totals(lines)),
  )
}

const cells = ({ calls, failures, refusals, dryRuns, changed, bytes, p50Ms, p95Ms }: Counts): string[] => [
  ...[calls, failures, refusals, dryRuns, changed].map(String),
  bytesInWords(bytes),
  ...[p50Ms, p95Ms].map(ms => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}ms`),
]
