import type { GraphEdge, GraphNode } from './code-graph.ts'
import type { Nodes } from './nodes-of.ts'
import type { Project } from './resolve/project.ts'

/** What each test calls outside of tests, itself or through functions of its own file. */
export function testEdges(
  project: Project,
  nodes: Nodes,
  edges: readonly GraphEdge[],
): readonly { readonly from: GraphNode; readonly to: GraphNode }[] {
  const calls = new Map<GraphNode, GraphNode[]>()
  for (const { relation, from, to, direct } of edges)
    if (relation === 'CALLS' && direct) calls.set(from, [...(calls.get(from) ?? []), to])
  const isTestFile = (path: string): boolean => project.files.get(path)?.code.isTest === true
  const found: { from: GraphNode; to: GraphNode }[] = []
  for (const file of project.files.values()) {
    if (!file.code.isTest) continue
    for (const [number] of file.code.symbols.entries()) {
      const test = nodes.symbol({ file, number })
      if (test?.label !== 'Test') continue
      const inside = file.code.symbols.flatMap((_, other) => {
        for (let at = other; at >= 0; at = file.code.symbols[at]?.parent ?? -1)
          if (at === number) return nodes.symbol({ file, number: other }) ?? []
        return []
      })
      for (const to of reached(inside)) found.push({ from: test, to })
    }
  }
  return found

  function reached(starts: readonly GraphNode[]): ReadonlySet<GraphNode> {
    const seen = new Set(starts)
    const outside = new Set<GraphNode>()
    const open = [...starts]
    for (let at = open.pop(); at; at = open.pop())
      for (const to of calls.get(at) ?? []) {
        if (!isTestFile(to.path)) outside.add(to)
        else if (!seen.has(to)) {
          seen.add(to)
          open.push(to)
        }
      }
    return outside
  }
}
