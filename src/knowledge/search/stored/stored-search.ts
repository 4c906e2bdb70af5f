import { once } from '../../../kernel/once.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import { openSections } from '../../../machine/state/sections.ts'
import type { UserPlaces } from '../../tree/ignore/user-places.ts'
import { segmentBuilder } from '../index/build-segments.ts'
import { countFiles } from '../index/count-files.ts'
import { knownPatterns } from '../index/known-patterns.ts'
import { openMasks } from '../index/masks.ts'
import { needsRipgrep } from '../index/needs-ripgrep.ts'
import { fileReader } from '../index/read-file-text.ts'
import { readFound } from '../index/read-found.ts'
import type { Segment } from '../index/segment.ts'
import { countSecrets, type IndexedGrep, type IndexedSearch, type LeaveOut } from '../indexed-search.ts'
import type { CompiledPattern, Needs } from '../pattern/types.ts'
import { UNSURE } from '../pattern/syntax.ts'
import type { GrepOptions } from '../types.ts'
import type { CompileGlob } from '../wanted-files.ts'
import { shareOf } from './common-trigrams.ts'
import { filesNow, STATE, type FilesNow } from './files-now.ts'
import { searchTexts } from './search-texts.ts'
import { readAbout, readImage, type StoredAbout, type StoredImage } from './stored-image.ts'
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
/**
 * A scan of one file takes about as long as searching this many bytes here. Less text than `LITTLE_BYTES` is searched in
 * any case.
 */
const [BYTES_SCANNED, LITTLE_BYTES] = [1_536, 2 * 1024 * 1024]
/** A segment for changed files has room for one file per this many bytes. */
const BYTES_OF_FILE = 4_096

/**
 * Prepares one search of a plain pattern by what an earlier process stored. Returns undefined if there is nothing, or if
 * a scan is the faster way to answer.
 */
export function storedSearch(parts: StoredParts, options: GrepOptions): StoredSearch | undefined {
  const pattern = knownPatterns()(options)
  const image = pattern?.isSteady ? imageFor(parts.place, pattern.needs) : undefined
  return pattern && image && searchOf(parts, image, pattern)
}

function imageFor(place: StoredPlace, needs: Needs): StoredImage | undefined {
  const sections = openSections(imageFile(place), place.key())
  try {
    const about = sections && readAbout(sections)
    return about && isWorthwhile(about, needs) ? readImage(sections, about) : undefined
  } catch {
    return undefined
  } finally {
    sections?.close()
  }
}

/** Reports whether less text has to be searched than a scan of all files costs. */
function isWorthwhile({ files, segments, common }: StoredAbout, needs: Needs): boolean {
  const textBytes = segments.reduce((sum, plan) => sum + plan.textBytes, 0)
  return shareOf(common, needs) * textBytes <= Math.max(LITTLE_BYTES, files * BYTES_SCANNED)
}

/**
 * Looks once at each known file and directory. Answers with undefined whenever anything is not certain: the caller
 * scans.
 */
function searchOf(parts: StoredParts, image: StoredImage, pattern: CompiledPattern): StoredSearch {
  const { root, user, isForeign } = parts
  const look = once(() => {
    try {
      return filesNow(image, { root, user, isForeign, most: MOST_FILES })
    } catch {
      // The system refused.
      return undefined
    }
  })
  return {
    files: async () => look()?.paths(),
    async grep(options, more) {
      const now = look()
      if (!now || !reaches(now, options.directory)) return undefined
      const openedSegments: StoredSegment[] = []
      try {
        return await search(parts, image, now, { pattern, options, more, opened: openedSegments })
      } catch (error) {
        if (error === UNSURE || error instanceof DamagedSegment) return undefined
        throw error
      } finally {
        for (const one of openedSegments) one.close()
      }
    },
  }
}

interface Asked {
  readonly pattern: CompiledPattern
  readonly options: GrepOptions
  readonly more: LeaveOut
  /** Takes the segments that were opened. */
  readonly opened: StoredSegment[]
}

async function search(
  { root, place, compileGlob }: StoredParts,
  image: StoredImage,
  now: FilesNow,
  { pattern, options, more, opened }: Asked,
): Promise<IndexedGrep | undefined> {
  const { book, ranks, states } = now
  const leaveOut = more.secrets ? [...more.leaveOut, ...now.secrets()] : more.leaveOut
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
  const foundLines = searchTexts({ stored: opened, read: read.segments, pattern, mask, ranks, options })
  return {
    ...(await readFound(foundLines, options, book.pathOf)),
    filesSearched: countFiles(segments, mask, options.countsText),
    timedOut: false,
    ...(more.secrets && countSecrets(now.secrets(), options, more.leaveOut)),
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
  const unreadFiles = [...unread].filter(([number]) => mask === undefined || mask[number] === 1)
  if (unreadFiles.length === 0) return { segments: [], unread: [] }
  const bytes = unreadFiles.reduce((sum, [, size]) => sum + size + 1, 0)
  if (bytes > MOST_BYTES) return undefined
  const intakes = unreadFiles.map(([number]) => ({ pathId: number, path: book.pathOf(number), stamp: '' }))
  const packs = segmentBuilder(fileReader(directory)).put(firstId, intakes, roomFor(bytes, unreadFiles.length))
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
const reaches = ({ paths }: FilesNow, directory = '.'): boolean =>
  directory === '.' || paths().some(path => path.startsWith(`${directory}/`))
