import { comparePaths } from './path-order.ts'

interface FirstByPath<T> {
  /** Reports whether something at this path could still be among the first. */
  wants(path: string): boolean
  add(item: T): void
  /** In the order of their paths: enough of them to fill the room, and hardly more. */
  sorted(): readonly T[]
}

/** Before this much is held in vain, nothing is sorted. */
const SLACK = 1_000

/** Keeps what comes first in the order of paths, out of any number that come in any order. */
export function firstByPath<T extends { readonly path: string }>(
  room: number,
  sizeOf: (item: T) => number,
): FirstByPath<T> {
  let held: T[] = []
  let size = 0
  /** Nothing after this path has room any more. */
  let last: string | undefined

  const cut = (): void => {
    held.sort((one, other) => comparePaths(one.path, other.path))
    size = 0
    const end = held.findIndex(item => (size += sizeOf(item)) >= room)
    if (end < 0) return
    held = held.slice(0, end + 1)
    last = held[end]?.path
  }
  const wants = (path: string): boolean => last === undefined || comparePaths(path, last) < 0

  return {
    wants,
    add(item) {
      if (!wants(item.path)) return
      held.push(item)
      size += sizeOf(item)
      if (size > 2 * room + SLACK) cut()
    },
    sorted() {
      cut()
      return held
    },
  }
}
