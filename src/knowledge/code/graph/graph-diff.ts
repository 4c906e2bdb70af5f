import { ToolError } from '../../../kernel/error.ts'
import type { CodeEngine } from '../types.ts'

/** Additions and removals, sorted. */
export interface Moved {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

interface GraphDiff {
  /** Functions and methods, by path and name. */
  readonly functions: Moved
  /** `caller -> callee` */
  readonly calls: Moved
  /** `path: name` */
  readonly exports: Moved
  /** Files of either side that could not be parsed. */
  readonly unread: readonly string[]
}

interface GraphLimit {
  readonly timeoutMs: number
  /** How long the caller waits, if less. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

type Side = string | undefined

const MOST_ROWS = 200_000
const FUNCTIONS = 'MATCH (f:Function:Method) RETURN f.id AS one'
const CALLS = "MATCH (a)-[c:CALLS]->(b) WHERE c.direct RETURN DISTINCT a.id + ' -> ' + b.id AS one"
const EXPORTS = "MATCH (f:File)-[e:EXPORTS]->(s) RETURN DISTINCT f.path + ': ' + e.name AS one"

/** Compares the graphs of two commits; an omitted side is the current workspace. */
export async function graphDiff(
  code: Pick<CodeEngine, 'graph'>,
  from: Side,
  to: Side,
  { timeoutMs, waitMs = Infinity, signal }: GraphLimit,
): Promise<GraphDiff> {
  const since = Date.now()
  const remainingMs = (ms: number): number => Math.max(1, since + ms - Date.now())
  const unreadPaths = new Set<string>()
  const differences = {
    functions: await compareSides(FUNCTIONS),
    calls: await compareSides(CALLS),
    exports: await compareSides(EXPORTS),
  }
  return { ...differences, unread: [...unreadPaths].toSorted() }

  async function compareSides(query: string): Promise<Moved> {
    const before = await all(query, from)
    const after = await all(query, to)
    return {
      added: [...after].filter(each => !before.has(each)).toSorted(),
      removed: [...before].filter(each => !after.has(each)).toSorted(),
    }
  }

  async function all(query: string, commit: Side): Promise<ReadonlySet<string>> {
    const { rows, truncated, unread } = await code.graph(query, {
      maxRows: MOST_ROWS,
      timeoutMs: remainingMs(timeoutMs),
      ...(waitMs < timeoutMs && { waitMs: remainingMs(waitMs) }),
      ...(commit !== undefined && { commit }),
      ...(signal && { signal }),
    })
    if (truncated)
      throw new ToolError('too_large', `There is more to compare than ${MOST_ROWS} rows`, {
        hint: 'Compare the answers of narrower queries at both commits.',
      })
    for (const path of unread) unreadPaths.add(path)
    return new Set(rows.map(row => String(row['one'])))
  }
}
