import { comparePaths } from '../path-order.ts'

/** Numbers paths and keeps their order, in a form that threads can share. */
export interface PathTable {
  /** Returns the number of a path. A new path gets the next one. */
  idOf(path: string): number
  /** Returns the number of a known path. */
  known(path: string): number | undefined
  pathOf(id: number): string
  count(): number
  /** Adds many paths at once, in any order. */
  addAll(paths: readonly string[]): void
  /** Ranks by path number: an earlier path has a lower rank. Returns a new array once this one is full. */
  ranks(): Float64Array<SharedArrayBuffer>
}

const FIRST_ROOM = 1024

export function pathTable(): PathTable {
  const ids = new Map<string, number>()
  const paths: string[] = []
  let ranks = new Float64Array(new SharedArrayBuffer(FIRST_ROOM * 8))
  let order = new Int32Array(FIRST_ROOM)

  const grow = (room: number): void => {
    if (room <= ranks.length) return
    const size = Math.max(room, ranks.length * 2)
    const [moreRanks, moreOrder] = [new Float64Array(new SharedArrayBuffer(size * 8)), new Int32Array(size)]
    moreRanks.set(ranks)
    moreOrder.set(order)
    ranks = moreRanks
    order = moreOrder
  }

  const enter = (path: string): number => {
    const id = paths.length
    paths.push(path)
    ids.set(path, id)
    return id
  }

  const renumber = (): void => {
    for (let at = 0; at < paths.length; at++) ranks[order[at] as number] = at
  }

  /** Merges two sorted lists. */
  const merge = (some: Int32Array, more: readonly number[]): void => {
    let [one, other] = [0, 0]
    for (let at = 0; at < some.length + more.length; at++) {
      const [mine, its] = [some[one], more[other]]
      const isMine =
        mine !== undefined && (its === undefined || comparePaths(paths[mine] as string, paths[its] as string) < 0)
      order[at] = (isMine ? mine : its) as number
      if (isMine) one++
      else other++
    }
  }

  /** Ranks a path between its neighbours. Renumbers all if no number is free there. */
  const place = (id: number, path: string): void => {
    const others = paths.length - 1
    let [low, high] = [0, others]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (comparePaths(paths[order[middle] as number] as string, path) < 0) low = middle + 1
      else high = middle
    }
    order.copyWithin(low + 1, low, others)
    order[low] = id
    const leftRank = low === 0 ? -1 : (ranks[order[low - 1] as number] as number)
    const right = low === others ? leftRank + 2 : (ranks[order[low + 1] as number] as number)
    const rank = (leftRank + right) / 2
    if (rank > leftRank && rank < right) ranks[id] = rank
    else {
      // A running search keeps the numbers it started with.
      ranks = new Float64Array(new SharedArrayBuffer(ranks.byteLength))
      renumber()
    }
  }

  return {
    known: path => ids.get(path),
    pathOf: id => paths[id] ?? '',
    count: () => paths.length,
    ranks: () => ranks,
    idOf(path) {
      const knownId = ids.get(path)
      if (knownId !== undefined) return knownId
      grow(paths.length + 1)
      const id = enter(path)
      place(id, path)
      return id
    },
    addAll(more) {
      const unknown = more.filter(path => !ids.has(path))
      if (unknown.length < 64) {
        for (const path of unknown) this.idOf(path)
        return
      }
      grow(paths.length + unknown.length)
      const before = order.slice(0, paths.length)
      merge(before, [...new Set(unknown)].toSorted(comparePaths).map(enter))
      ranks = new Float64Array(new SharedArrayBuffer(ranks.byteLength))
      renumber()
    },
  }
}
