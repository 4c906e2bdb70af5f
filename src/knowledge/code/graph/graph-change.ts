import type { GraphEdge, GraphNode } from './code-graph.ts'
import { NODE_COLUMNS } from './database/schema.ts'
import type { LinkedGraph } from './link-graph.ts'

/** The difference between two graphs. */
export interface GraphChange {
  readonly removedEdges: readonly GraphEdge[]
  readonly removedNodes: readonly GraphNode[]
  readonly addedNodes: readonly GraphNode[]
  /** The same node with other properties. */
  readonly changedNodes: readonly GraphNode[]
  readonly addedEdges: readonly GraphEdge[]
}

/** Returns undefined if there are more changes than this: writing the whole graph is faster then. */
export function graphChange(before: LinkedGraph, now: LinkedGraph, most: number): GraphChange | undefined {
  const removedEdges: GraphEdge[] = []
  const addedEdges: GraphEdge[] = []
  for (const path of new Set([...before.files.keys(), ...now.files.keys()])) {
    const [old, newFile] = [before.files.get(path), now.files.get(path)]
    if (old !== newFile) compare(old?.edges ?? [], newFile?.edges ?? [])
    if (removedEdges.length + addedEdges.length > most) return undefined
  }
  compare(before.tests, now.tests)
  const { removed: removedNodes, added: addedNodes, changed: changedNodes } = nodesBetween(before, now)
  const change = { removedEdges, removedNodes, addedNodes, changedNodes, addedEdges }
  return Object.values(change).reduce((sum, { length }) => sum + length, 0) > most ? undefined : change

  function compare(old: readonly GraphEdge[], own: readonly GraphEdge[]): void {
    const remainingByKey = new Map(old.map(edge => [keyOf(edge), edge]))
    for (const edge of own) if (!remainingByKey.delete(keyOf(edge))) addedEdges.push(edge)
    for (const edge of remainingByKey.values()) removedEdges.push(edge)
  }
}

const keyOf = ({ relation, from, to, line, name, direct }: GraphEdge): string =>
  `${relation}\0${from.label}\0${from.id}\0${to.label}\0${to.id}\0${line}\0${name}\0${direct}`

function nodesBetween({ nodes: before }: LinkedGraph, { nodes: now }: LinkedGraph) {
  const remainingByKey = new Map(before.map(node => [`${node.label}\0${node.id}`, node]))
  const addedNodes: GraphNode[] = []
  const changedNodes: GraphNode[] = []
  for (const node of now) {
    const key = `${node.label}\0${node.id}`
    const old = remainingByKey.get(key)
    remainingByKey.delete(key)
    if (!old) addedNodes.push(node)
    else if (!isSame(old, node)) changedNodes.push(node)
  }
  return { removed: [...remainingByKey.values()], added: addedNodes, changed: changedNodes }
}

const isSame = (one: GraphNode, other: GraphNode): boolean =>
  NODE_COLUMNS.every(name => String(one[name]) === String(other[name]))
