import type { Root } from '../../../machine/workspace/root.ts'
import { openSections } from '../../../machine/state/sections.ts'
import type { UserPlaces } from '../../tree/ignore/user-places.ts'
import { segmentBuilder } from '../index/build-segments.ts'
import { knownPatterns } from '../index/known-patterns.ts'
import { openMasks } from '../index/masks.ts'
import { needsRipgrep } from '../index/needs-ripgrep.ts'
import { fileReader } from '../index/read-file-text.ts'
import { readFound } from '../index/read-found.ts'
import type { Segment } from '../index/segment.ts'
import type { IndexedGrep, IndexedSearch, LeaveOut } from '../indexed-search.ts'
import { UNSURE } from '../pattern/syntax.ts'
import type { GrepOptions } from '../types.ts'
import type { CompileGlob } from '../wanted-files.ts'
import { filesNow, STATE, type FilesNow } from './files-now.ts'
import { searchTexts } from './search-texts.ts'
import { readImage, type StoredImage } from './stored-image.ts'
import { imageFile, type StoredPlace } from './stored-place.ts'
import { DamagedSegment, openStored, type StoredSegment } from './stored-segment.ts'

interface StoredParts {
  readonly root: Root
  readonly user: UserPlaces
  readonly place: StoredPlace
  readonly compileGlob: CompileGlob
  /** Files of the workspace that do not belong to the repository. */
  readonly isForeign: (path: string) => boolean
}

export type StoredSearch = Pick<IndexedSearch, 'files' | 'grep'>

/** Most files to read before an answer, and their bytes. Beyond that a scan is about as fast. */
const [MOST_FILES, MOST_BYTES] = [300, 8 * 1024 * 1024]
/** Beyond this many, a single scan is faster than one per file. */
const MOST_UNREADABLE = 8
/** A segment for changed files has room for one file per this many bytes. */
const BYTES_OF_FILE = 4_096

/**
 * Search of one call by what an earlier process stored, after one look at each known file and directory. Undefined
 * whenever anything is not certain: the caller scans.
 */
export function storedSearch(parts: StoredParts): StoredSearch {
  const { root, user, place, isForeign } = parts
  let looked: { readonly image: StoredImage; readonly now: FilesNow } | undefined
  let isLooked = false

  function look(): typeof looked {
    if (isLooked) return looked
    isLooked = true
    const sections = openSections(imageFile(place), place.key())
    try {
      const image = sections && readImage(sections)
      const now = image && filesNow(image, { root, user, isForeign, most: MOST_FILES })
      return (looked = image && now && { image, now })
    } catch {
      return undefined
    } finally {
      sections?.close()
    }
  }

  return {
    files: async () => look()?.now.paths,
    async grep(options, more) {
      const known = look()
      if (!known || !reaches(known.now, options.directory)) return undefined
      const opened: StoredSegment[] = []
      try {
        return await search(parts, known.image, known.now, { options, more, opened })
      } catch (error) {
        if (error === UNSURE || error instanceof DamagedSegment) return undefined
        throw error
      } finally {
        for (const one of opened) one.close()
      }
    },
  }
}

interface Asked {
  readonly options: GrepOptions
  readonly more: LeaveOut
  /** Takes the segments that were opened. */
  readonly opened: StoredSegment[]
}

async function search(
  { root, place, compileGlob }: StoredParts,
  image: StoredImage,
  now: FilesNow,
  { options, more, opened }: Asked,
): Promise<IndexedGrep | undefined> {
  const pattern = knownPatterns()(options)
  if (!pattern?.isSteady) return undefined
  const { book, ranks, states } = now
  const leaveOut = more.secrets ? [...more.leaveOut, ...now.secrets] : more.leaveOut
  const mask = await openMasks(book, compileGlob).maskFor(options, leaveOut)
  for (const [at, plan] of image.segments.entries())
    opened.push(openStored(place.directory, plan, image.sums[at] as Uint32Array, at))
  fill(opened, image, states)
  const read = readNow(`/proc/self/fd/${root.fd}`, now, mask, opened.length)
  if (!read || read.unread.length > MOST_UNREADABLE) return undefined
  const segments = [...opened.map(({ segment }) => segment), ...read.segments]
  if (
    needsRipgrep(
      segments.map(segment => ({ segment })),
      pattern,
      mask,
    )
  )
    return undefined
  const found = searchTexts({ stored: opened, read: read.segments, pattern, mask, ranks, options })
  return {
    ...(await readFound(found, options, book.pathOf)),
    filesSearched: searchedBy(segments, mask),
    timedOut: false,
    freshness: { source: 'index', checked: 'stat' },
    ...(read.unread.length > 0 && { unread: read.unread }),
  }
}

/** Tells each segment which of its files are current, and their numbers. */
function fill(opened: readonly StoredSegment[], { where, paths }: StoredImage, states: Uint8Array): void {
  for (let number = 0; number < paths.length; number++) {
    const [segment, file] = [opened[where[number * 2] as number]?.segment, where[number * 2 + 1] as number]
    if (!segment || states[number] !== STATE.stored) continue
    segment.live[file] = 1
    segment.pathIds[file] = number
  }
}

interface ReadNow {
  readonly segments: readonly Segment[]
  /** Files that could not be read. */
  readonly unread: readonly string[]
}

/** Reads the wanted files whose texts are not stored. Returns undefined if they are too large. */
function readNow(
  directory: string,
  { unread, book }: FilesNow,
  mask: Uint8Array | undefined,
  firstId: number,
): ReadNow | undefined {
  const wanted = [...unread].filter(([number]) => mask === undefined || mask[number] === 1)
  if (wanted.length === 0) return { segments: [], unread: [] }
  const bytes = wanted.reduce((sum, [, size]) => sum + size + 1, 0)
  if (bytes > MOST_BYTES) return undefined
  const intakes = wanted.map(([number]) => ({ pathId: number, path: book.pathOf(number), stamp: '' }))
  const packs = segmentBuilder(fileReader(directory)).put(firstId, intakes, roomFor(bytes, wanted.length))
  for (const { segment, taken, counts } of packs) {
    segment.counts.set(counts)
    segment.live.fill(1, 0, taken.length)
  }
  return {
    segments: packs.map(({ segment }) => segment),
    unread: packs.flatMap(({ missing }) => missing.map(({ path }) => path)),
  }
}

const roomFor = (bytes: number, files: number): number => (Math.ceil(bytes / BYTES_OF_FILE) + files) * BYTES_OF_FILE

/** Ignore rules may exclude a directory: callers can search it by name, but no file of it is listed. */
function reaches({ paths }: FilesNow, directory = '.'): boolean {
  if (directory === '.') return true
  return paths.some(path => path.startsWith(`${directory}/`))
}

function searchedBy(segments: readonly Segment[], mask: Uint8Array | undefined): number {
  let count = 0
  for (const { live, pathIds, counts } of segments)
    for (let file = 0; file < (counts[0] ?? 0); file++)
      if (live[file] === 1 && (mask === undefined || mask[pathIds[file] as number] === 1)) count++
  return count
}
