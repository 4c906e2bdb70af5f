import { ToolError } from '../../../kernel/error.ts'
import { itemKey } from '../servers/asked-server.ts'
import { callChains, type Chains } from './call-chains.ts'
import type { CallNode, Use } from './call-node.ts'
import { dispatchedUses, type DispatchParts } from './classes/dispatched-uses.ts'
import { directUses } from './direct-uses.ts'

const AT_ONCE = 8

/**
 * Whoever calls a function, and whoever calls those. Level by level, so that what is known when the time is over
 * is the nearest; `isCut` says that it was not everything.
 */
export async function findCallers(target: CallNode, depth: number, parts: DispatchParts): Promise<Chains> {
  const own = new Set([target.key, ...target.items.map(itemKey)])
  const usesOf = new Map<string, readonly Use[]>()
  const late: ToolError[] = []
  let isEnded = false
  let layer: readonly CallNode[] = [target]
  for (let level = 0; level < depth && layer.length > 0 && late.length === 0; level++) {
    const next = new Map<string, CallNode>()
    await each(layer, async node => {
      try {
        const found = [...(await directUses(node, parts)), ...(await dispatchedUses(node, parts))]
        const uses = found.map(use => (own.has(use.by.key) ? { ...use, by: target } : use))
        usesOf.set(node.key, uses)
        for (const { by } of uses) if (by.positions.length > 0) next.set(by.key, by)
        isEnded ||= level + 1 < depth && uses.some(({ by }) => by.isUnserved)
      } catch (error) {
        if (!(error instanceof ToolError) || error.code !== 'timeout' || !usesOf.has(target.key)) throw error
        late.push(error)
      }
    })
    layer = [...next.values()].filter(({ key }) => !usesOf.has(key))
  }
  const chains = callChains(target, usesOf, depth)
  return { ...chains, isCut: chains.isCut || late.length > 0 || isEnded }
}

async function each<T>(list: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = [...list]
  const take = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await act(one)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, left.length) }, take))
}
