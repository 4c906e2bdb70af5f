import type { TreeFile } from '../../tree/tree.ts'

/** Files not parsed yet, in order. */
export interface PendingFiles {
  size(): number
  has(path: string): boolean
  those(isMeant: (path: string) => boolean): readonly string[]
  /** Reports whether this is the latest version queued. */
  holds(file: TreeFile): boolean
  /** Queues a file that is new or has changed. Results for its earlier version are discarded. */
  put(file: TreeFile): void
  /** Removes a file that needs no parsing any more. */
  drop(path: string): void
  /** Moves these to the front. */
  hurry(paths: Iterable<string>): void
  /** Takes the next files for a process; they are not returned again. */
  next(most: number): readonly TreeFile[]
  /** Resolves when none of these is pending, or none of all without `paths`. */
  gone(paths?: Iterable<string>): Promise<void>
  /** Releases all waiting callers. */
  release(): void
}

interface Waiter {
  /** Undefined if waiting for all. */
  readonly left: Set<string> | undefined
  readonly tell: () => void
}

export function createPendingFiles(): PendingFiles {
  const pending = new Map<string, TreeFile>()
  /** Files not yet given to a process. */
  const queue = new Set<TreeFile>()
  const first = new Set<TreeFile>()
  const waiters = new Set<Waiter>()

  return {
    size: () => pending.size,
    has: path => pending.has(path),
    those: isMeant => [...pending.keys()].filter(isMeant),
    put(file) {
      forget(pending.get(file.path))
      pending.set(file.path, file)
      queue.add(file)
    },
    holds: file => pending.get(file.path) === file,
    drop(path) {
      forget(pending.get(path))
      if (pending.delete(path)) tell(path)
    },
    hurry(paths) {
      for (const path of paths) {
        const file = pending.get(path)
        if (file && queue.has(file)) first.add(file)
      }
    },
    next(most) {
      const files = new Set(firstOf(first, most))
      for (const file of firstOf(queue, most)) if (files.size < most) files.add(file)
      for (const file of files) forget(file)
      return [...files]
    },
    async gone(paths) {
      const remainingPaths = paths && new Set([...paths].filter(path => pending.has(path)))
      if ((remainingPaths ?? pending).size === 0) return
      await new Promise<void>(resolve => waiters.add({ left: remainingPaths, tell: resolve }))
    },
    release() {
      for (const waiter of waiters) waiter.tell()
      waiters.clear()
    },
  }

  function forget(file: TreeFile | undefined): void {
    if (!file) return
    queue.delete(file)
    first.delete(file)
  }

  function tell(path: string): void {
    for (const waiter of waiters) {
      waiter.left?.delete(path)
      if ((waiter.left ?? pending).size > 0) continue
      waiters.delete(waiter)
      waiter.tell()
    }
  }
}

function firstOf<T>(set: ReadonlySet<T>, most: number): T[] {
  const first: T[] = []
  for (const each of set) {
    if (first.length === most) break
    first.push(each)
  }
  return first
}
