import type { GraphAdapter } from '../kernel/adapters.ts'
import type { CodeEngine, GraphAnswer } from '../knowledge/code/types.ts'

/** A graph that somebody else answers for, within the limits of our own. */
export async function adaptedGraph(
  adapter: GraphAdapter,
  query: string,
  { params = {}, commit, maxRows }: Parameters<CodeEngine['graph']>[1],
): Promise<GraphAnswer> {
  const rows = await adapter.query(query, { params, commit })
  return {
    columns: Object.keys(rows[0] ?? {}),
    rows: rows.slice(0, maxRows),
    truncated: rows.length > maxRows,
    unread: [],
    ...(commit !== undefined && { commit }),
  }
}
