import { ToolError } from '../../../kernel/error.ts'
import { callChains, type Chains } from './call-chains.ts'
import { isSameUse, type CallNode, type FoundUses, type PossibleUse, type Use } from './call-node.ts'
import { directUses } from './direct-uses.ts'
import type { CallParts } from './mentions.ts'

const AT_ONCE = 8

interface FoundCallers extends Chains {
  readonly possible: readonly PossibleUse[]
  /** Callers that may have more callers of their own. */
  readonly open: readonly string[]
}

/**
 * Callers of a function, and their callers. Works level by level, so that the nearest are known when the time runs out;
 * `isCut` reports that. `besides` finds slower uses of the function itself.
 */
export async function findCallers(
  target: CallNode,
  ownKeys: ReadonlySet<string>,
  depth: number,
  parts: CallParts,
  besides: (known: FoundUses) => Promise<FoundUses>,
): Promise<FoundCallers> {
  const usesOf = new Map<string, readonly Use[]>()
  const possible: PossibleUse[] = []
  const open = new Set<string>()
  const late: ToolError[] = []
  let layer: readonly CallNode[] = [target]
  for (let level = 0; level < depth && layer.length > 0 && late.length === 0; level++) {
    const next = new Map<string, CallNode>()
    await lookUpTogether(layer, parts)
    await each(layer, async node => {
      if (late.length > 0) return
      try {
        const foundUses = await directUses(node, parts)
        const more = node === target ? await besides(foundUses) : { calls: [], possible: [] }
        const uses = [...foundUses.calls, ...more.calls].map(use =>
          ownKeys.has(use.by.key) ? { ...use, by: target } : use,
        )
        usesOf.set(node.key, uses)
        if (node === target)
          possible.push(
            ...[...foundUses.possible, ...more.possible].filter(one => !uses.some(use => isSameUse(use, one))),
          )
        else if (foundUses.possible.length > 0) open.add(node.name)
        for (const { by } of uses) if (by.positions.length > 0) next.set(by.key, by)
        // Callers of a component's function are not followed.
        if (level + 1 < depth) for (const { by } of uses) if (by.isUnserved) open.add(by.name)
      } catch (error) {
        if (!(error instanceof ToolError) || error.code !== 'timeout' || !usesOf.has(target.key)) throw error
        late.push(error)
      }
    })
    layer = [...next.values()].filter(({ key }) => !usesOf.has(key))
  }
  const chains = callChains(target, usesOf, depth)
  return { ...chains, isCut: chains.isCut || late.length > 0, possible, open: [...open] }
}

/** Looks up the functions of a level with one question a file; a question for each would send its text each time. */
async function lookUpTogether(layer: readonly CallNode[], { looks }: CallParts): Promise<void> {
  const byPath = Map.groupBy(layer, ({ path }) => path)
  await each([...byPath], async ([path, nodes]) => {
    await looks.usages(
      path,
      nodes.flatMap(({ positions }) => positions),
    )
  })
}

/** Works on a list with bounded concurrency. */
export async function each<T>(list: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const queue = [...list]
  const take = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) await act(one)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, queue.length) }, take))
}
