import type { JournalRecord } from './chain.ts'
import { isCall, type CallRecord } from './record.ts'

/** Totals for the calls of one tool, or of all. */
export interface Counts {
  readonly calls: number
  /** Ran, and ended in an error. */
  readonly failures: number
  /** Never ran: refused by policy, a person or a budget. */
  readonly refusals: number
  readonly dryRuns: number
  /** Changed paths, counted once per call. */
  readonly changed: number
  /** Sizes of the complete results. */
  readonly bytes: number
  readonly p50Ms: number
  readonly p95Ms: number
}

interface Metrics {
  readonly total: Counts
  readonly tools: Readonly<Record<string, Counts>>
  /** Times of the first and the last counted call. */
  readonly from?: string
  readonly to?: string
}

/** Reduces records to counts and durations, in total and by tool. */
export function metricsOf(records: Iterable<JournalRecord>): Metrics {
  const total = tally()
  const tools = new Map<string, Tally>()
  let [from, to]: [string?, string?] = []
  for (const record of records) {
    if (!isCall(record)) continue
    const toolTally = tools.get(record.tool) ?? tally()
    tools.set(record.tool, toolTally)
    count(toolTally, record)
    count(total, record)
    from ??= record.time
    to = record.time
  }
  return {
    total: countsOf(total),
    tools: Object.fromEntries([...tools].toSorted(byName).map(([tool, own]) => [tool, countsOf(own)])),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['denied', 'rejected', 'budget_exceeded'])

interface Tally {
  failures: number
  refusals: number
  dryRuns: number
  changed: number
  bytes: number
  readonly durations: number[]
}

const tally = (): Tally => ({ failures: 0, refusals: 0, dryRuns: 0, changed: 0, bytes: 0, durations: [] })

function count(into: Tally, { ok, code, dryRun, changed, bytes, durationMs }: CallRecord): void {
  const isRefusal = !ok && code !== undefined && REFUSALS.has(code)
  if (isRefusal) into.refusals++
  else if (!ok) into.failures++
  if (dryRun) into.dryRuns++
  else into.changed += changed.length
  into.bytes += bytes ?? 0
  into.durations.push(durationMs)
}

function countsOf({ durations, ...rest }: Tally): Counts {
  const inOrder = durations.toSorted((a, b) => a - b)
  return { calls: inOrder.length, ...rest, p50Ms: at(inOrder, 0.5), p95Ms: at(inOrder, 0.95) }
}

/** Returns the smallest duration that this share of the calls did not exceed. */
const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0

const byName = ([a]: [string, Tally], [b]: [string, Tally]): number => (a < b ? -1 : 1)
