import type { TreeFile } from '../../tree/tree.ts'

/** Files whose facts are still to be found, in the order in which they will be. */
interface PendingFiles {
  size(): number
  has(path: string): boolean
  those(isMeant: (path: string) => boolean): readonly string[]
  /** This is what was last put there. */
  holds(file: TreeFile): boolean
  /** A file that is new or has changed; whoever parses what it was before does so in vain. */
  put(file: TreeFile): void
  /** There is nothing to be found, or it was found. */
  drop(path: string): void
  /** These go first. */
  hurry(paths: Iterable<string>): void
  /** The next ones for a thread, which are not given out again. */
  next(most: number): readonly TreeFile[]
  /** Comes back when none of these is pending any more, or none at all. */
  gone(paths?: Iterable<string>): Promise<void>
  /** Nobody waits any longer. */
  release(): void
}

interface Waiter {
  /** Undefined for whoever waits for all. */
  readonly left: Set<string> | undefined
  readonly tell: () => void
}

export function createPendingFiles(): PendingFiles {
  const pending = new Map<string, TreeFile>()
  /** Those of them that no thread has yet. */
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
      const left = paths && new Set([...paths].filter(path => pending.has(path)))
      if ((left ?? pending).size === 0) return
      await new Promise<void>(resolve => waiters.add({ left, tell: resolve }))
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
