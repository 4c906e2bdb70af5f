import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkspaceState } from './directory.ts'
import { everything, expendable, leftovers, staleTransactions, type Candidate } from './gc-candidates.ts'
import { openLock } from './lock.ts'
import { bytesBelow, isAbandoned, workspacesIn } from './workspaces.ts'

export interface GcOptions {
  readonly now: number
  /** Over all workspaces together. */
  readonly maxBytes?: number
  readonly maxAgeMs?: number
  /** Brings the commits of one workspace within bounds; they are the commit store's to remove. */
  readonly pruneCommits?: (state: WorkspaceState, bounds: CommitBounds) => unknown
}

export interface CommitBounds {
  readonly maxBytes: number
  readonly maxAgeMs: number
  readonly now: number
}

export interface Collected {
  /** Size of the state directory before and after, in bytes. */
  readonly before: number
  readonly after: number
  readonly removed: readonly Removed[]
}

export interface Removed {
  readonly what: string
  readonly bytes: number
}

export const DEFAULT_MAX_BYTES = 2 * 1024 ** 3
export const DEFAULT_MAX_AGE_MS = 90 * 24 * 3600 * 1000
/** No living process leaves a file half-written for longer. */
const LEFTOVER_MS = 3600 * 1000

/** Brings the state directory inside its bounds: what is too old goes first, then the oldest until the rest fits. */
export function collectGarbage(home: string, options: GcOptions): Collected {
  const before = bytesBelow(home)
  if (before === 0) return { before, after: 0, removed: [] }
  const removed = new Map<string, number>()
  const note = (what: string, bytes: number): number => {
    if (bytes > 0) removed.set(what, (removed.get(what) ?? 0) + bytes)
    return bytes
  }
  const lock = openLock(join(home, 'gc.lock'))
  try {
    lock.run(() => {
      removeOld(home, options, note)
      removeUntilItFits(home, options, note)
    })
  } finally {
    lock.close()
  }
  return { before, after: bytesBelow(home), removed: Array.from(removed, ([what, bytes]) => ({ what, bytes })) }
}

type Note = (what: string, bytes: number) => number

function removeOld(home: string, options: GcOptions, note: Note): void {
  const { now, maxAgeMs = DEFAULT_MAX_AGE_MS } = options
  const collect = (candidates: readonly Candidate[], ageMs: number): void => {
    for (const { what, mtimeMs, remove } of candidates) if (now - mtimeMs > ageMs) note(what, remove())
  }
  for (const state of workspacesIn(home)) {
    if (isAbandoned(state)) collect([everything(state)], maxAgeMs)
    if (!existsSync(state.path)) continue
    collect(leftovers(state), LEFTOVER_MS)
    collect([...staleTransactions(state), ...expendable(state)], maxAgeMs)
    pruneCommits(state, Infinity, options, note)
  }
}

/** Commits give up their share of the excess, for undo is worth more than old records; the rest goes by age. */
function removeUntilItFits(home: string, options: GcOptions, note: Note): void {
  const { maxBytes = DEFAULT_MAX_BYTES } = options
  const size = bytesBelow(home)
  if (size <= maxBytes) return
  const states = workspacesIn(home)
  for (const state of states)
    pruneCommits(state, Math.floor((bytesBelow(state.commits) * maxBytes) / size), options, note)
  let excess = bytesBelow(home) - maxBytes
  for (const { what, remove } of states.flatMap(expendable).toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (excess <= 0) return
    excess -= note(what, remove())
  }
}

function pruneCommits(state: WorkspaceState, maxBytes: number, options: GcOptions, note: Note): void {
  const { now, maxAgeMs = DEFAULT_MAX_AGE_MS } = options
  if (!options.pruneCommits || isAbandoned(state)) return
  const before = bytesBelow(state.commits)
  options.pruneCommits(state, { maxBytes, maxAgeMs, now })
  note(`commits of ${state.root}`, before - bytesBelow(state.commits))
}
