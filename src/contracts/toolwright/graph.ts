import { GRAPH_DESCRIPTION } from '../../knowledge/code/graph/describe-graph.ts'
import { graphDiff, type Moved } from '../../knowledge/code/graph/graph-diff.ts'
import { cypherInput } from '../cypher-input.ts'
import { exactlyOne } from './required-fields.ts'
import { defineTool, readsBelow, z } from '../tool.ts'
import { unreadOf } from './basis.ts'
import { LONGEST_MS } from './server-wait.ts'

const LIMIT = 200
const TIMEOUT_MS = 110_000

const nameChanges = () => z.strictObject({ added: z.array(z.string()), removed: z.array(z.string()) })

export const graph = defineTool({
  name: 'graph',
  version: '1.2.0',
  description: `Query the code graph with one read-only Cypher \`query\`, for the workspace with staged changes or a \`commit\` (hash, branch, tag, HEAD~3). Or list with \`diff\` functions, calls and exports added and removed since a commit. ${GRAPH_DESCRIPTION}`,
  input: () => {
    const { query, params, commit } = cypherInput()
    const input = z.strictObject({
      query: query.optional(),
      params,
      commit,
      diff: z
        .strictObject({ from: z.string().min(1).max(500), to: z.string().min(1).max(500).optional() })
        .optional()
        .describe(
          'Instead of a query: functions, calls and exports added and removed; default for `to`: the workspace',
        ),
      limit: z.int().min(1).max(5000).optional().describe(`Most rows; default ${LIMIT}`),
      waitMs: z.int().min(0).max(LONGEST_MS).optional().describe('How long to wait for the graph; default 110 s'),
    })
    return exactlyOne(input, 'query', 'diff')
  },
  output: () =>
    z.strictObject({
      columns: z.array(z.string()),
      rows: z.array(z.record(z.string(), z.unknown())),
      truncated: z.boolean(),
      partial: z.boolean().describe('Results may be missing: some files could not be parsed'),
      unread: z.array(z.string()).optional().describe('Files that could not be parsed'),
      commit: z.string().optional().describe('The full hash of the commit'),
      diff: z.strictObject({ functions: nameChanges(), calls: nameChanges(), exports: nameChanges() }).optional(),
    }),
  effects: ['read'],
  yields: true,
  timeoutMs: TIMEOUT_MS + 10_000,
  waitMs: ({ waitMs }) => waitMs,
  claims: () => readsBelow('.'),
  async run({ query, params, commit, diff, limit = LIMIT, waitMs = TIMEOUT_MS }, { code }, { signal }) {
    const limits = { timeoutMs: Math.max(waitMs, TIMEOUT_MS), waitMs, signal }
    if (diff) {
      const graphChanges = await graphDiff(code, diff.from, diff.to, limits)
      const { functions, calls, exports, unread } = graphChanges
      const diffLists = { functions: lists(functions), calls: lists(calls), exports: lists(exports) }
      return { columns: [], rows: [], truncated: false, ...lostIn(unread), diff: diffLists }
    }
    const how = {
      maxRows: limit,
      ...limits,
      ...(params && { params }),
      ...(commit !== undefined && { commit }),
    }
    const { columns, rows, truncated, unread, commit: at } = await code.graph(query ?? '', how)
    return {
      columns: [...columns],
      rows: [...rows],
      truncated,
      ...lostIn(unread),
      ...(at !== undefined && { commit: at }),
    }
  },
  examples: [
    {
      input: {
        query: 'MATCH (a)-[c:CALLS]->(f:Function) WHERE f.name = $name RETURN a.path, a.name, c.line',
        params: { name: 'one' },
      },
      files: { 'src/a.ts': 'export function one() {}\nexport const two = () => one()\n' },
    },
  ],
})

const lostIn = (unread: readonly string[]) => ({ partial: unread.length > 0, ...unreadOf(unread) })

const lists = ({ added, removed }: Moved) => ({ added: [...added], removed: [...removed] })
