import type { Place } from './commit-store.ts'
import { errnoOf } from '../disk-error.ts'
import { decodeEntryName, type EntryName } from './entry-name.ts'
import { createWith, readWhole } from './file-bytes.ts'
import type { Sys } from '../sys.ts'

/** Totals of a place's undo records, known without a listing. */
export interface Tally {
  /** The sequence number of the next commit. */
  readonly next: number
  readonly count: number
  readonly bytes: number
  /** Time of the oldest; undefined if there is none. */
  readonly oldestAt: number | undefined
}

/** The last note that this process wrote of a place. */
const notes = new WeakMap<Place, Note>()

/** Totals, and the state of the directory that they are of. */
interface Note {
  readonly tally: Tally
  readonly stamp: string
}

/** Reads the last commit's note. Lists the directory if the note is missing or older than the directory. */
export function readTally(sys: Sys, place: Place): Tally {
  const stamp = stampOf(sys, place)
  const lastNote = notes.get(place)
  if (lastNote?.stamp === stamp) return lastNote.tally
  const storedNote = readNote(sys, place)
  return storedNote?.stamp === stamp ? storedNote.tally : recount(sys, place, storedNote?.tally.next ?? 0)
}

/** Not synced, and never fails a commit: a wrong note is detected, and the records are counted again. */
export function writeTally(sys: Sys, place: Place, tally: Tally): void {
  const stamp = stampOf(sys, place)
  const note = JSON.stringify({ ...tally, stamp })
  const bytes = Buffer.from(note.padEnd(NOTE_LENGTH))
  notes.set(place, { tally, stamp })
  if (bytes.length === NOTE_LENGTH && rewrite(sys, place, bytes)) return
  if (sys.lstat(place.dir, 'tally.new') !== undefined) sys.unlink(place.dir, 'tally.new')
  sys.close(createWith(sys, place.dir, 'tally.new', bytes))
  // Ext4 syncs a file that is renamed over another, which would delay the commit.
  if (sys.lstat(place.dir, 'tally') !== undefined) sys.unlink(place.dir, 'tally')
  sys.rename(place.dir, 'tally.new', place.dir, 'tally')
}

/** Fixed, so that one write replaces the note: a new file costs more than the rest of a small commit's writes. */
const NOTE_LENGTH = 192

/** Returns false if there is no note of ours to replace: another name of the file could be someone's own. */
function rewrite(sys: Sys, place: Place, bytes: Buffer): boolean {
  let fd: number
  try {
    fd = sys.rewriteFile(place.dir, 'tally')
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
    return false
  }
  try {
    const stats = sys.fstat(fd)
    const isOurs = stats.isFile() && stats.nlink === 1n && stats.size === BigInt(NOTE_LENGTH)
    return isOurs && sys.write(fd, bytes, 0) === NOTE_LENGTH
  } finally {
    sys.close(fd)
  }
}

/** Returns the records of a place, oldest first. */
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

function readNote(sys: Sys, place: Place): Note | undefined {
  try {
    const { next, count, bytes, oldestAt, stamp } = JSON.parse(readWhole(sys, place.dir, 'tally').toString())
    const sound = [next, count, bytes].every(value => Number.isSafeInteger(value) && value >= 0)
    return sound && typeof stamp === 'string' ? { tally: { next, count, bytes, oldestAt }, stamp } : undefined
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Changes with every name added to or removed from the directory. */
function stampOf(sys: Sys, place: Place): string {
  const { mtimeNs, nlink } = sys.fstat(place.undo)
  return `${mtimeNs}.${nlink}`
}

/** Records removed because of the limit, stored so that undo can report them. */
export interface PrunedNote {
  readonly count: number
  /** Time of the newest removed record. */
  readonly until: number
  /** Ids of the newest removed records. */
  readonly ids: readonly string[]
}

/** Returns undefined if nothing was removed yet. */
export function readPrunedNote(sys: Sys, place: Place): PrunedNote | undefined {
  try {
    const { count, until, ids } = JSON.parse(readWhole(sys, place.dir, 'pruned').toString())
    return { count: Number(count), until: Number(until), ids: Array.isArray(ids) ? ids.map(String) : [] }
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}
