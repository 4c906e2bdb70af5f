import { act } from '../../api/request.ts'
import type { Envelope } from '../../api/shapes.ts'

export interface CodeNode {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly label: string
}

export interface CodeEdge {
  readonly from: string
  readonly to: string
  /** Found in the code itself; otherwise a call may go there. */
  readonly isCertain: boolean
}

/** A symbol with what calls it and what it calls. */
export interface Neighbours {
  readonly centre: CodeNode
  readonly callers: readonly CodeNode[]
  readonly callees: readonly CodeNode[]
  readonly edges: readonly CodeEdge[]
  readonly isPartial: boolean
}

interface GraphAnswer {
  readonly rows?: readonly Readonly<Record<string, unknown>>[]
  readonly partial?: boolean
  readonly truncated?: boolean
}

const MOST = 24

async function query(text: string, params: object, commit: string | undefined): Promise<GraphAnswer> {
  const body = { query: text, params, ...(commit !== undefined && { commit }) }
  const { ok, data, error } = await act<Envelope<GraphAnswer>>('/v1/graph', body)
  if (!ok || !data) throw new Error([error?.message, error?.hint].filter(Boolean).join('. '))
  return data
}

const nodeIn = (value: unknown): CodeNode => {
  const { id = '', name = '', path = '', label = '' } = Object(value)
  return { id: String(id), name: String(name), path: String(path), label: String(label) }
}

/** Finds symbols by name. */
export async function findSymbols(name: string, commit: string | undefined): Promise<readonly CodeNode[]> {
  const { rows = [] } = await query('MATCH (n) WHERE n.name = $name RETURN n LIMIT 12', { name }, commit)
  return rows.map(({ n }) => nodeIn(n)).filter(({ label }) => label !== 'File')
}

/** Names to begin with: those that are called the most. */
export async function muchCalled(): Promise<readonly string[]> {
  const text = 'MATCH (a)-[c:CALLS]->(b) RETURN b.name AS name, count(a) AS calls ORDER BY calls DESC LIMIT 8'
  const { rows = [] } = await query(text, {}, undefined)
  return rows.map(({ name }) => String(name))
}

export async function neighboursOf(centre: CodeNode, commit: string | undefined): Promise<Neighbours> {
  const params = { id: centre.id }
  const [incoming, outgoing] = await Promise.all([
    query(
      `MATCH (a)-[c:CALLS]->(b) WHERE b.id = $id RETURN a AS node, c.direct AS direct LIMIT ${MOST}`,
      params,
      commit,
    ),
    query(
      `MATCH (a)-[c:CALLS]->(b) WHERE a.id = $id RETURN b AS node, c.direct AS direct LIMIT ${MOST}`,
      params,
      commit,
    ),
  ])
  const edges: CodeEdge[] = []
  const nodes = (answer: GraphAnswer, isCaller: boolean): readonly CodeNode[] => {
    const found = new Map<string, CodeNode>()
    for (const { node, direct } of answer.rows ?? []) {
      const one = nodeIn(node)
      if (one.id === centre.id || found.has(one.id)) continue
      found.set(one.id, one)
      edges.push({
        from: isCaller ? one.id : centre.id,
        to: isCaller ? centre.id : one.id,
        isCertain: direct !== false,
      })
    }
    return [...found.values()]
  }
  const [callers, callees] = [nodes(incoming, true), nodes(outgoing, false)]
  return { centre, callers, callees, edges, isPartial: incoming.partial === true || incoming.truncated === true }
}

/** What two commits differ in, as the graph tells it. */
export async function compareCommits(from: string, to: string): Promise<unknown> {
  const body = { diff: { from, ...(to !== '' && { to }) } }
  const { ok, data, error } = await act<Envelope>('/v1/graph', body)
  if (!ok) throw new Error([error?.message, error?.hint].filter(Boolean).join('. '))
  return data
}
