import { languageAt } from '../../../languages/registry.ts'
import type { GraphEdge, GraphNode } from './code-graph.ts'
import type { Nodes } from './nodes-of.ts'
import { isTestPath } from '../../../languages/file-model/test-path.ts'
import type { Project } from '../resolve/project.ts'

/** The functions outside of tests that each test calls, directly or through functions of its own file. */
export function testEdges(
  project: Project,
  nodes: Nodes,
  edges: readonly GraphEdge[],
): readonly { readonly from: GraphNode; readonly to: GraphNode }[] {
  const isTestFile = (path: string): boolean => project.files.get(path)?.code.isTest === true
  /** Tests may be in the file that they test. */
  const isTestCode = ({ id, path, label }: GraphNode): boolean =>
    isTestFile(path) &&
    (!languageAt(path).testsBesideCode || isTestPath(path) || label === 'Test' || /#tests?\./.test(id))
  /** By id: edges of unchanged files may hold outdated nodes of other files. */
  const calls = Map.groupBy(
    edges.filter(({ relation, from, direct }) => relation === 'CALLS' && direct && isTestFile(from.path)),
    ({ from }) => from.id,
  )
  const testedCalls: { from: GraphNode; to: GraphNode }[] = []
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
      for (const to of reachOutside(inside)) testedCalls.push({ from: test, to })
    }
  }
  return testedCalls

  function reachOutside(starts: readonly GraphNode[]): Iterable<GraphNode> {
    const visitedIds = new Set(starts.map(({ id }) => id))
    const outside = new Map<string, GraphNode>()
    const open = [...visitedIds]
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const { to } of calls.get(at) ?? []) {
        if (!isTestCode(to)) outside.set(to.id, to)
        else if (!visitedIds.has(to.id)) {
          visitedIds.add(to.id)
          open.push(to.id)
        }
      }
    return outside.values()
  }
}
