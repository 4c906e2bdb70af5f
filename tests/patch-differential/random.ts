/** Numbers that a seed decides: the same case again, whenever it is asked for. */
export interface Random {
  /** From 0 to below `below`. */
  int(below: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly [T, ...T[]]): T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number): number => Math.floor(next() * below)
  return { int, chance: probability => next() < probability, pick: from => from[int(from.length)] ?? from[0] }
}
