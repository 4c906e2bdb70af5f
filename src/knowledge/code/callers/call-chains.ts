import type { Caller } from '../types.ts'
import type { CallNode, Use } from './call-node.ts'

/** More than anyone reads; the number of chains can grow with every level. */
const MOST = 5_000

export interface Chains {
  readonly callers: readonly Caller[]
  readonly isCut: boolean
}

/** Walks from the function to its callers, depth first; a chain visits each caller once. */
export function callChains(target: CallNode, usesOf: ReadonlyMap<string, readonly Use[]>, depth: number): Chains {
  const callerById = new Map<string, Caller>()
  let isCut = false
  visit(target, [], [target.key])
  return { callers: [...callerById.values()].toSorted(inOrder), isCut }

  /** Reports whether it has a caller outside of the chain. */
  function visit(node: CallNode, steps: Caller['steps'], keys: readonly string[]): boolean {
    // The target may close the chain, but is not walked again.
    const isOpen = ({ by: { key } }: Use) => key === target.key || !keys.includes(key)
    const callers = Map.groupBy((usesOf.get(node.key) ?? []).filter(isOpen), ({ by }) => by.key)
    for (const [key, uses] of callers) {
      const places = unique(uses)
      for (const [at, use] of places.entries()) {
        const step = { name: use.by.name, path: use.path, line: use.line }
        const next = [step, ...steps]
        const id = `${use.path}:${use.line} ${[key, ...keys].join(' > ')}`
        if (callerById.size >= MOST) isCut = true
        if (callerById.has(id) || isCut) continue
        // A caller with several calls is followed once.
        const goesOn = at === 0 && next.length < depth && key !== target.key && visit(use.by, next, [key, ...keys])
        callerById.set(id, {
          ...step,
          chain: [...next.map(({ name }) => name), target.name],
          depth: next.length,
          steps: next,
          outermost: !goesOn,
        })
      }
    }
    return callers.size > 0
  }
}

const unique = (uses: readonly Use[]): Use[] =>
  [...new Map(uses.map(use => [`${use.path}:${use.line}`, use])).values()].toSorted((a, b) => a.line - b.line)

const inOrder = (one: Caller, other: Caller): number =>
  compare(one.path, other.path) || one.line - other.line || compare(one.chain.join('\0'), other.chain.join('\0'))

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
