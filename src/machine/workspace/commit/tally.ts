import type { Place } from './commit-store.ts'
import { errnoOf } from '../disk-error.ts'
import { decodeEntryName, type EntryName } from './entry-name.ts'
import { createWith, readWhole } from './file-bytes.ts'
import type { Sys } from '../sys.ts'

/** What the undo records of a place amount to, known without listing them. */
interface Tally {
  /** The sequence number of the next commit. */
  readonly next: number
  readonly count: number
  readonly bytes: number
  /** When the oldest was made; undefined if there is none. */
  readonly oldestAt: number | undefined
}

/** From the note of the last commit; where that is missing or older than the directory itself, by listing it. */
export function readTally(sys: Sys, place: Place): Tally {
  const noted = readNote(sys, place)
  return noted?.stamp === stampOf(sys, place) ? noted.tally : recount(sys, place, noted?.tally.next ?? 0)
}

/** Not synced, and no reason to fail a commit: a note that is not true is recognised, and the records are counted again. */
export function writeTally(sys: Sys, place: Place, tally: Tally): void {
  const bytes = Buffer.from(JSON.stringify({ ...tally, stamp: stampOf(sys, place) }))
  if (sys.lstat(place.dir, 'tally.new') !== undefined) sys.unlink(place.dir, 'tally.new')
  sys.close(createWith(sys, place.dir, 'tally.new', bytes))
  // Ext4 brings a file to disk that is renamed over another one, and whoever waits for the commit would wait for that.
  if (sys.lstat(place.dir, 'tally') !== undefined) sys.unlink(place.dir, 'tally')
  sys.rename(place.dir, 'tally.new', place.dir, 'tally')
}

/** The records of a place, oldest first. */
export const entriesOf = (sys: Sys, place: Place): { name: string; entry: EntryName }[] =>
  sys
    .list(place.undo)
    .map(String)
    .toSorted()
    .flatMap(name => {
      const entry = decodeEntryName(name)
      return entry === undefined ? [] : [{ name, entry }]
    })

export function tallyOf(entries: readonly EntryName[], next: number): Tally {
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  const newest = entries.at(-1)?.sequence ?? -1
  return { next: Math.max(next, newest + 1), count: entries.length, bytes, oldestAt: entries[0]?.at }
}

const recount = (sys: Sys, place: Place, next: number): Tally =>
  tallyOf(
    entriesOf(sys, place).map(({ entry }) => entry),
    next,
  )

function readNote(sys: Sys, place: Place): { readonly tally: Tally; readonly stamp: string } | undefined {
  try {
    const { next, count, bytes, oldestAt, stamp } = JSON.parse(readWhole(sys, place.dir, 'tally').toString())
    const sound = [next, count, bytes].every(value => Number.isSafeInteger(value) && value >= 0)
    return sound && typeof stamp === 'string' ? { tally: { next, count, bytes, oldestAt }, stamp } : undefined
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Changes with every name that comes into or goes out of the directory. */
function stampOf(sys: Sys, place: Place): string {
  const { mtimeNs, nlink } = sys.fstat(place.undo)
  return `${mtimeNs}.${nlink}`
}

/** What was removed to stay within the bound, remembered so that undo can say so. */
export interface PrunedNote {
  readonly count: number
  /** When the newest of them was made. */
  readonly until: number
  /** The newest of them by id. */
  readonly ids: readonly string[]
}

/** Undefined if nothing was removed yet. */
export function readPrunedNote(sys: Sys, place: Place): PrunedNote | undefined {
  try {
    const { count, until, ids } = JSON.parse(readWhole(sys, place.dir, 'pruned').toString())
    return { count: Number(count), until: Number(until), ids: Array.isArray(ids) ? ids.map(String) : [] }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}
