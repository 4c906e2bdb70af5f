import { GRAPH_DESCRIPTION } from '../../knowledge/code/graph/describe-graph.ts'
import { cypherInput } from '../cypher-input.ts'
import { defineTool, readsBelow, z } from '../tool.ts'

const LIMIT = 2000
const TIMEOUT_MS = 110_000

export const graphQuery = defineTool({
  name: 'GraphQuery',
  version: '1.0.0',
  description: `Query the code graph in Cypher (read only, at most ${LIMIT} rows), of the workspace or of any commit. ${GRAPH_DESCRIPTION}`,
  input: () => z.strictObject(cypherInput()),
  output: () => z.strictObject({ results: z.array(z.record(z.string(), z.unknown())) }),
  effects: ['read'],
  yields: true,
  timeoutMs: TIMEOUT_MS + 10_000,
  claims: () => readsBelow('.'),
  async run({ query, params, commit }, { code }, { signal }) {
    const how = { maxRows: LIMIT, timeoutMs: TIMEOUT_MS, signal }
    const { rows } = await code.graph(query, {
      ...how,
      ...(params && { params }),
      ...(commit !== undefined && { commit }),
    })
    return { results: [...rows] }
  },
  examples: [
    {
      input: { query: 'MATCH (f:Function) WHERE f.exported RETURN f.path, f.name' },
      files: { 'src/a.ts': 'export function one() {}\n' },
    },
  ],
})
