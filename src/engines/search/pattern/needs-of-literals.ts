import type { Needs } from './types.ts'

/** What a text must hold for one of these byte sequences to be in it. */
export function needsOfLiterals(literals: readonly Buffer[]): Needs {
  const some = literals.map(needsOf)
  if (some.includes('anything')) return 'anything'
  return some.length === 1 && some[0] !== undefined ? some[0] : { some }
}

function needsOf(literal: Buffer): Needs {
  const every = new Set<number>()
  for (let at = 2; at < literal.length; at++) every.add(literal.readUIntBE(at - 2, 3))
  return every.size === 0 ? 'anything' : { every: [...every] }
}
