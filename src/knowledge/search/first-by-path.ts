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
  capacity: number,
  sizeOf: (item: T) => number,
): FirstByPath<T> {
  let items: T[] = []
  let size = 0
  /** Entries after this path no longer fit. */
  let last: string | undefined

  const cut = (): void => {
    items.sort((one, other) => comparePaths(one.path, other.path))
    size = 0
    const end = items.findIndex(item => (size += sizeOf(item)) >= capacity)
    if (end < 0) return
    items = items.slice(0, end + 1)
    last = items[end]?.path
  }
  const wants = (path: string): boolean => last === undefined || comparePaths(path, last) < 0

  return {
    wants,
    add(item) {
      if (!wants(item.path)) return
      items.push(item)
      size += sizeOf(item)
      if (size > 2 * capacity + SLACK) cut()
    },
    sorted() {
      cut()
      return items
    },
  }
}
