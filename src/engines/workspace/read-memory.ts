import type { Change } from '../../kernel/change.ts'

/** What a session last saw of each file: the precondition of its next write there. */
export interface ReadMemory {
  /** The hash last read or written; undefined for a file that this session does not know. */
  get(path: string): string | undefined
  note(path: string, hash: string): void
  /** After our own commit: the file now holds what we wrote, or is gone. */
  noteWritten(path: string, hash: string | undefined): void
  /** The same for everything that a commit changed. */
  noteChanges(changes: readonly Change[]): void
}

/** Most files that a session remembers; the ones seen longest ago are forgotten first. */
const MOST = 10_000

export function createReadMemory(): ReadMemory {
  const seen = new Map<string, string>()

  const note = (path: string, hash: string): void => {
    seen.delete(path)
    seen.set(path, hash)
    if (seen.size <= MOST) return
    const [oldest] = seen.keys()
    if (oldest !== undefined) seen.delete(oldest)
  }
  const noteWritten = (path: string, hash: string | undefined): void => {
    if (hash === undefined) seen.delete(path)
    else note(path, hash)
  }
  return {
    get: path => seen.get(path),
    note,
    noteWritten,
    noteChanges(changes) {
      for (const { path, from, after } of changes) {
        if (from !== undefined) noteWritten(from, undefined)
        noteWritten(path, after)
      }
    },
  }
}
