import { diskPath } from '../disk-path.ts'
import { lstat } from '../stamp.ts'

/** Numbers per file: inode, size and the two times; NaN if there is no file. */
export const STAT_FIELDS = 4
/** Files per batch of a thread. */
const AT_ONCE = 256
const [NEXT, DONE] = [0, 1]

/** A look at many files, shared by threads. */
export interface StatRun {
  /** Prefix of every path. */
  readonly start: string
  readonly seen: Float64Array<SharedArrayBuffer>
  /** Progress in batches: the next free one, and the number done. */
  readonly progress: Int32Array<SharedArrayBuffer>
}

export const newStatRun = (start: string, looks: Float64Array<SharedArrayBuffer>): StatRun => ({
  start,
  seen: looks,
  progress: new Int32Array(new SharedArrayBuffer(8)),
})

/** Looks at the next free batch. Returns false if there is none. */
export function statNextBatch(paths: readonly string[], { start, seen, progress }: StatRun): boolean {
  const from = Atomics.add(progress, NEXT, 1) * AT_ONCE
  if (from >= paths.length) return false
  const to = Math.min(paths.length, from + AT_ONCE)
  for (let file = from; file < to; file++) {
    const stats = lstat(diskPath(start + (paths[file] as string)))
    const at = file * STAT_FIELDS
    const isThere = stats?.isFile() === true
    seen[at] = isThere ? stats.ino : Number.NaN
    seen[at + 1] = isThere ? stats.size : Number.NaN
    seen[at + 2] = isThere ? stats.mtimeMs : Number.NaN
    seen[at + 3] = isThere ? stats.ctimeMs : Number.NaN
  }
  Atomics.add(progress, DONE, 1)
  return true
}

/** Reports whether all batches taken are done. */
export const isDone = (paths: readonly string[], { progress }: StatRun): boolean =>
  Atomics.load(progress, DONE) >= Math.ceil(paths.length / AT_ONCE)
