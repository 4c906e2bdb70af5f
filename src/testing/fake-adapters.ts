import type { GraphAdapter, GraphAsked, JournalAdapter } from '../kernel/adapters.ts'

type Rows = readonly Readonly<Record<string, unknown>>[]

/** A query to a fake graph. */
export interface FakeGraphAsked extends GraphAsked {
  readonly query: string
}

/** A fake code graph: returns these rows, or a function's result for the query, and remembers the queries. */
export function fakeGraph(
  answers: Rows | ((query: string, asked: GraphAsked) => Rows) = [],
): GraphAdapter & { readonly asked: FakeGraphAsked[] } {
  const queries: FakeGraphAsked[] = []
  return {
    asked: queries,
    async query(query, more) {
      queries.push({ query, ...more })
      return typeof answers === 'function' ? answers(query, more) : answers
    },
  }
}

/** A record as a fake journal keeps it. */
export interface FakeRecord {
  readonly type: string
  readonly tool: string
  readonly [key: string]: unknown
}

/** A fake journal: keeps every record in memory, in order; `fails` says which cannot be written. */
export function fakeJournal(
  options: { readonly fails?: (record: FakeRecord) => boolean } = {},
): JournalAdapter & { readonly records: FakeRecord[] } {
  const records: FakeRecord[] = []
  return {
    records,
    append(given) {
      const record = structuredClone(given) as FakeRecord
      if (options.fails?.(record)) throw new Error('The fake journal rejects this record')
      records.push(record)
    },
  }
}
