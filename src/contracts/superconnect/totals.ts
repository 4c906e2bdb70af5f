/** Totals of one component's calls. */
export interface ComponentTotals {
  readonly query_index_calls: number
  readonly read_file_calls: number
  readonly read_file_bytes: number
  readonly list_files_calls: number
  readonly cache_hits: number
}

/** Totals over all components. */
export interface RunTotals {
  readonly total_query_calls: number
  readonly total_file_reads: number
  readonly avg_reads_per_component: number
  /** The percentage of reading components that queried the index before their first read. */
  readonly index_first_ratio: number
}

/** Computes the totals from metrics lines in the order they were written. */
export function totalsOf(lines: Iterable<object>): {
  readonly components: Readonly<Record<string, ComponentTotals>>
  readonly run: RunTotals
} {
  const components = new Map<string, Tally>()
  for (const line of lines) {
    const { component, tool, size_bytes, bytes_read = size_bytes, cached } = Object(line)
    const tally = components.get(component) ?? newTally()
    components.set(component, tally)
    if (tool === 'queryIndex') tally.query_index_calls++
    if (tool === 'listFiles') tally.list_files_calls++
    if (tool !== 'readFile') continue
    if (tally.read_file_calls++ === 0) tally.indexFirst = tally.query_index_calls > 0
    tally.read_file_bytes += Number(bytes_read ?? 0)
    if (cached === true) tally.cache_hits++
  }
  const all = [...components.values()]
  const sum = (of: (tally: Tally) => number): number => all.reduce((total, tally) => total + of(tally), 0)
  const share = (total: number): number => (all.length === 0 ? 0 : total / all.length)
  const reads = sum(tally => tally.read_file_calls)
  return {
    components: Object.fromEntries([...components].map(([name, { indexFirst: _first, ...totals }]) => [name, totals])),
    run: {
      total_query_calls: sum(tally => tally.query_index_calls),
      total_file_reads: reads,
      avg_reads_per_component: share(reads),
      index_first_ratio: percentage(
        sum(tally => Number(tally.indexFirst === true)),
        sum(tally => Number(tally.read_file_calls > 0)),
      ),
    },
  }
}

const percentage = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole)

type Tally = { -readonly [Name in keyof ComponentTotals]: number } & { indexFirst: boolean | undefined }

const newTally = (): Tally => ({
  query_index_calls: 0,
  read_file_calls: 0,
  read_file_bytes: 0,
  list_files_calls: 0,
  cache_hits: 0,
  indexFirst: undefined,
})
