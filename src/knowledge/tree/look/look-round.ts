import { diskPath } from '../disk-path.ts'
import { lstat } from '../stamp.ts'

/** Numbers of each file: inode, size and the two times; none of them is a number where there is no file. */
export const LOOK_FIELDS = 4
/** Files that one thread takes at once. */
const AT_ONCE = 256
const [NEXT, DONE] = [0, 1]

/** A look at many files that threads share. */
export interface LookRound {
  /** What stands before every path. */
  readonly start: string
  readonly seen: Float64Array<SharedArrayBuffer>
  /** Which files nobody took yet, and how many are done, in pieces. */
  readonly progress: Int32Array<SharedArrayBuffer>
}

export const newRound = (start: string, seen: Float64Array<SharedArrayBuffer>): LookRound => ({
  start,
  seen,
  progress: new Int32Array(new SharedArrayBuffer(8)),
})

/** Looks at the next files that nobody took; false if there are none. */
export function lookOn(paths: readonly string[], { start, seen, progress }: LookRound): boolean {
  const from = Atomics.add(progress, NEXT, 1) * AT_ONCE
  if (from >= paths.length) return false
  const to = Math.min(paths.length, from + AT_ONCE)
  for (let file = from; file < to; file++) {
    const stats = lstat(diskPath(start + (paths[file] as string)))
    const at = file * LOOK_FIELDS
    const isThere = stats?.isFile() === true
    seen[at] = isThere ? stats.ino : Number.NaN
    seen[at + 1] = isThere ? stats.size : Number.NaN
    seen[at + 2] = isThere ? stats.mtimeMs : Number.NaN
    seen[at + 3] = isThere ? stats.ctimeMs : Number.NaN
  }
  Atomics.add(progress, DONE, 1)
  return true
}

/** Reports whether all that was taken has been looked at. */
export const isOver = (paths: readonly string[], { progress }: LookRound): boolean =>
  Atomics.load(progress, DONE) >= Math.ceil(paths.length / AT_ONCE)
