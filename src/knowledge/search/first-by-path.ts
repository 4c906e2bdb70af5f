import { comparePaths } from './path-order.ts'

interface FirstByPath<T> {
  /** Reports whether something at this path could still be among the first. */
  wants(path: string): boolean
  add(item: T): void
  /** Returns the entries in path order: enough to fill the room, and few more. */
  sorted(): readonly T[]
}

/** Sorts only after this many surplus entries. */
const SLACK = 1_000

/** Keeps the entries that come first in path order, from any number in any order. */
export function firstByPath<T extends { readonly path: string }>(
  room: number,
  sizeOf: (item: T) => number,
): FirstByPath<T> {
  let held: T[] = []
  let size = 0
  /** Entries after this path no longer fit. */
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
