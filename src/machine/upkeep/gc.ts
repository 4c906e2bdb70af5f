import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkspaceState } from '../state/directory.ts'
import {
  cacheCandidates,
  everything,
  expendable,
  leftovers,
  removeAll,
  staleTransactions,
  type Candidate,
} from './gc-candidates.ts'
import { DEFAULT_BOUNDS, measuring } from './growth.ts'
import { openLock } from '../state/lock.ts'
import { bytesBelow, isAbandoned, workspacesIn } from './workspaces.ts'

interface GcOptions {
  readonly now: number
  /** Limit over all workspaces together. */
  readonly maxBytes?: number
  readonly maxAgeMs?: number
  /** Prunes the commits of one workspace; only the commit store may remove them. */
  readonly pruneCommits?: (state: WorkspaceState, bounds: CommitBounds) => unknown
  /** Time to wait for another collector before throwing `unavailable`. */
  readonly waitMs?: number
}

interface CommitBounds {
  readonly maxBytes: number
  readonly maxAgeMs: number
  readonly now: number
}

interface Collected {
  /** Size of the state directory before and after, in bytes. */
  readonly before: number
  readonly after: number
  readonly removed: readonly Removed[]
  /** Entries that could not be read or removed; the rest was. */
  readonly problems: readonly string[]
}

interface Removed {
  readonly what: string
  readonly bytes: number
}

const WAIT_MS = 10_000
/** No living process leaves a file half-written for longer. */
const LEFTOVER_MS = 3600 * 1000

/**
 * Brings the state directory within its limits: removes what is too old, then caches, then the oldest until the rest
 * fits.
 */
export function collectGarbage(home: string, options: GcOptions): Collected {
  const before = bytesBelow(home)
  if (before === 0) return { before, after: 0, removed: [], problems: [] }
  const removedBytes = new Map<string, number>()
  const problems: string[] = []
  const work: Work = {
    ...options,
    maxBytes: options.maxBytes ?? DEFAULT_BOUNDS.maxBytes,
    maxAgeMs: options.maxAgeMs ?? DEFAULT_BOUNDS.maxAgeMs,
    note(what, bytes) {
      if (bytes > 0) removedBytes.set(what, (removedBytes.get(what) ?? 0) + bytes)
    },
    orReport(what, doing) {
      try {
        doing()
      } catch (error) {
        problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)
      }
    },
  }
  const lock = openLock(join(home, 'gc.lock'))
  try {
    lock.acquire(options.waitMs ?? WAIT_MS)
    const noteSize = measuring(home)
    removeOld(home, work)
    removeCaches(home, work)
    removeUntilItFits(home, work)
    const after = bytesBelow(home)
    // Unremovable entries do not count, so that collection does not repeat without effect.
    noteSize(Math.min(after, work.maxBytes))
    return { before, after, removed: Array.from(removedBytes, ([what, bytes]) => ({ what, bytes })), problems }
  } finally {
    lock.close()
  }
}

interface Work extends GcOptions {
  readonly maxBytes: number
  readonly maxAgeMs: number
  note(what: string, bytes: number): void
  /** A failure in one workspace does not affect the others. */
  orReport(what: string, doing: () => void): void
}

function removeOld(home: string, work: Work): void {
  const { now, maxAgeMs } = work
  const older = (candidates: readonly Candidate[], ageMs: number) =>
    candidates.filter(({ mtimeMs }) => now - mtimeMs > ageMs)
  for (const state of workspacesIn(home))
    work.orReport(state.root, () => {
      if (isAbandoned(state)) removeAll(older([everything(state)], maxAgeMs), work.note)
      if (!existsSync(state.path)) return
      removeAll(older(leftovers(state), LEFTOVER_MS), work.note)
      removeAll(
        older([...staleTransactions(state), ...cacheCandidates(state), ...expendable(state)], maxAgeMs),
        work.note,
      )
      pruneCommits(state, Infinity, work)
    })
}

/** Removes what can be rebuilt first, least recently used first. */
function removeCaches(home: string, work: Work): void {
  const states = workspacesIn(home)
  removeOldest(states, states.flatMap(cacheCandidates), bytesBelow(home) - work.maxBytes, work)
}

/**
 * Active state stays, but takes at most half of the room. Undo gets half of the rest, plus what others leave: payloads
 * and old records never displace it, nor vice versa. Within each, the oldest goes first.
 */
function removeUntilItFits(home: string, work: Work): void {
  const { maxBytes } = work
  const size = bytesBelow(home)
  if (size <= maxBytes) return
  const states = workspacesIn(home)
  const living = states.filter(state => !isAbandoned(state))
  const spare = states.flatMap(state => (living.includes(state) ? expendable(state) : [everything(state)]))
  const spareBytes = spare.reduce((sum, { bytes }) => sum + bytes, 0)
  const undoBytes = (): number => living.reduce((sum, { commits }) => sum + bytesBelow(commits), 0)
  const undo = undoBytes()
  const spareRoom = maxBytes - Math.min(Math.max(0, size - undo - spareBytes), maxBytes / 2)
  const share = Math.max(spareRoom / 2, spareRoom - spareBytes)
  if (undo > share)
    for (const state of living)
      work.orReport(state.root, () => pruneCommits(state, Math.floor((bytesBelow(state.commits) * share) / undo), work))
  removeOldest(states, spare, undoBytes() + spareBytes - spareRoom, work)
}

function removeOldest(
  states: readonly WorkspaceState[],
  candidates: readonly Candidate[],
  excess: number,
  work: Work,
): void {
  const going: Candidate[] = []
  let excessLeft = excess
  for (const candidate of candidates.toSorted((a, b) => a.mtimeMs - b.mtimeMs)) {
    if (excessLeft <= 0) break
    going.push(candidate)
    excessLeft -= candidate.bytes
  }
  for (const state of states)
    work.orReport(state.root, () =>
      removeAll(
        going.filter(({ key }) => key === state.key),
        work.note,
      ),
    )
}

function pruneCommits(state: WorkspaceState, maxBytes: number, work: Work): void {
  if (!work.pruneCommits || isAbandoned(state)) return
  const before = bytesBelow(state.commits)
  work.pruneCommits(state, { maxBytes, maxAgeMs: work.maxAgeMs, now: work.now })
  work.note(`commits of ${state.root}`, before - bytesBelow(state.commits))
}
