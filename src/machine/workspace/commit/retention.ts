import type { CommitStore, Place } from './commit-store.ts'
import { createWith } from './file-bytes.ts'
import { removeEntry } from './finish.ts'
import type { Sys } from '../sys.ts'
import { entriesOf, readPrunedNote, readTally, tallyOf, writeTally, type PrunedNote, type Tally } from './tally.ts'

export interface Bounds {
  readonly maxBytes: number
  readonly maxAgeMs: number
  readonly now: number
}

interface Pruned {
  readonly removed: number
  /** Current size of the records. */
  readonly bytes: number
  readonly count: number
}

/** Pruning frees a tenth of the limit at once, so that the next commits need not prune. */
const SLACK = 0.9
const REMEMBERED = 5000

/**
 * Keeps a workspace's undo records within their limits by removing the oldest. Call it under the workspace's lock.
 * Costs one small read if nothing has to go, or none right after a commit, which knows the totals of its place.
 */
export function prune(store: CommitStore, bounds: Bounds, lastTally?: Tally): Pruned {
  const { sys } = store
  const active = store.active()
  // Unused places first: their records are older.
  const places = [...store.places().filter(place => place !== active), active]
  const totals = places.map(place => (place === active && lastTally) || readTally(sys, place))
  let bytes = totals.reduce((sum, tally) => sum + tally.bytes, 0)
  let count = totals.reduce((sum, tally) => sum + tally.count, 0)
  const target = bytes > bounds.maxBytes ? bounds.maxBytes * SLACK : bounds.maxBytes
  let removedCount = 0
  for (const [index, place] of places.entries()) {
    const oldestAt = totals[index]?.oldestAt
    const isTooOld = oldestAt !== undefined && bounds.now - oldestAt > bounds.maxAgeMs
    if (bytes <= target && !isTooOld) continue
    const removal = pruneOne(sys, place, bytes - target, bounds)
    bytes -= removal.bytes
    count -= removal.count
    removedCount += removal.count
  }
  return { removed: removedCount, bytes, count }
}

function pruneOne(sys: Sys, place: Place, excess: number, { now, maxAgeMs }: Bounds): { bytes: number; count: number } {
  const entries = entriesOf(sys, place)
  const { next } = readTally(sys, place)
  let bytes = 0
  let count = 0
  for (const { entry } of entries) {
    if (bytes >= excess && now - entry.at <= maxAgeMs) break
    bytes += entry.bytes
    count++
  }
  if (count === 0) return { bytes, count }
  const going = entries.slice(0, count)
  // Noted before the removal: after a crash a remaining record is still found first.
  remember(
    sys,
    place,
    going.flatMap(({ entry }) => (entry.kept ? [] : [entry.id])),
    going.at(-1)?.entry.at ?? 0,
  )
  for (const { name } of going) removeEntry(sys, place.undo, name)
  const entriesLeft = entries.slice(count).map(({ entry }) => entry)
  writeTally(sys, place, tallyOf(entriesLeft, next))
  return { bytes, count }
}

function remember(sys: Sys, place: Place, ids: readonly string[], until: number): void {
  const before = readPrunedNote(sys, place)
  const note: PrunedNote = {
    count: (before?.count ?? 0) + ids.length,
    until: Math.max(until, before?.until ?? 0),
    ids: [...(before?.ids ?? []), ...ids].slice(-REMEMBERED),
  }
  if (sys.lstat(place.dir, 'pruned.new') !== undefined) sys.unlink(place.dir, 'pruned.new')
  sys.close(createWith(sys, place.dir, 'pruned.new', Buffer.from(JSON.stringify(note))))
  sys.rename(place.dir, 'pruned.new', place.dir, 'pruned')
}
