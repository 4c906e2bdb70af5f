import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { fillFrom, PAGE_BYTES, pagesOf, partLengths } from '../index/segment-file.ts'
import {
  BLOCK_FIELDS,
  FILE_FIELDS,
  MARK_BYTES,
  marksFor,
  segmentWith,
  sharedArrays,
  type Segment,
} from '../index/segment.ts'
import type { StoredPlan } from './stored-image.ts'

/** Thrown if a stored segment is not as it was written. */
export class DamagedSegment extends Error {}

/** A segment in a file, of which only what a search needs is read. What is not read holds zeros. */
export interface StoredSegment {
  /** Its lookup tables without their lists, and room for the rest. */
  readonly segment: Segment & { readonly postings: NonNullable<Segment['postings']>; readonly text: Uint8Array }
  /** Reads lists: positions of their 16-bit units. */
  needLists(from: number, to: number): void
  /** Reads text, and what tells the numbers of its lines. */
  needText(from: number, to: number): void
  close(): void
}

/** Opens a stored segment and reads its tables. Throws `DamagedSegment` if it is not there or not as written. */
export function openStored(directory: string, plan: StoredPlan, sums: Uint32Array, id: number): StoredSegment {
  const fd = openSegment(join(directory, plan.name))
  try {
    return segmentIn(fd, plan, sums, id)
  } catch (error) {
    closeSync(fd)
    throw error
  }
}

function openSegment(file: string): number {
  try {
    return openSync(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  } catch {
    throw new DamagedSegment(`There is no ${file}`)
  }
}

function segmentIn(fd: number, plan: StoredPlan, sums: Uint32Array, id: number): StoredSegment {
  const { counts, keys: keyCount, lists: listUnits, textBytes } = plan
  const [fileCount = 0, blockCount = 0] = counts
  const [files, blocks] = [sharedArrays.ints(fileCount * FILE_FIELDS), sharedArrays.ints(blockCount * BLOCK_FIELDS)]
  const lineMarks = sharedArrays.ints(marksFor(textBytes))
  const [keys, offsets, lists] = [
    sharedArrays.words(keyCount),
    sharedArrays.words(keyCount + 1),
    sharedArrays.halves(listUnits),
  ]
  const text = sharedArrays.bytes(textBytes)
  const rooms = [files, blocks, lineMarks, keys, offsets, lists, text]
  let [position, page] = [plan.start, 0]
  const parts = partLengths(plan).map((length, at) => {
    const pages = pagesOf(length)
    const partPlace = { position, sums: sums.subarray(page, page + pages) }
    position += length
    page += pages
    return pagedPart(fd, Buffer.from((rooms[at] as Uint8Array).buffer, 0, length), partPlace)
  })
  const [ofFiles, ofBlocks, ofMarks, ofKeys, ofOffsets, ofLists, ofText] = parts as [
    Part,
    Part,
    Part,
    Part,
    Part,
    Part,
    Part,
  ]
  for (const part of [ofFiles, ofBlocks, ofKeys, ofOffsets]) part(0, Infinity)
  const postings = { keys, offsets, lists }
  return {
    segment: segmentWith(id, counts, { text, files, blocks, lineMarks, postings }),
    needLists: (from, to) => ofLists(from * 2, to * 2),
    needText(from, to) {
      ofText(from - (from % MARK_BYTES), to)
      ofMarks(Math.floor(from / MARK_BYTES) * 4, (Math.floor(to / MARK_BYTES) + 1) * 4)
    },
    close: () => closeSync(fd),
  }
}

/** Reads the bytes between two offsets of a part, unless they were read before. */
type Part = (from: number, to: number) => void

function pagedPart(fd: number, bytes: Buffer, { position, sums }: { position: number; sums: Uint32Array }): Part {
  const isRead = new Uint8Array(sums.length)
  return (from, to) => {
    const end = Math.min(sums.length, Math.ceil(to / PAGE_BYTES))
    for (let page = Math.floor(from / PAGE_BYTES); page < end; page++) {
      if (isRead[page] === 1) continue
      const first = page
      while (page < end && isRead[page] !== 1) page++
      readPages(first, page)
    }
  }

  function readPages(first: number, end: number): void {
    const some = bytes.subarray(first * PAGE_BYTES, end * PAGE_BYTES)
    if (!isFilled(fd, some, position + first * PAGE_BYTES)) throw new DamagedSegment('A stored segment is cut short')
    for (let page = first, at = 0; page < end; page++, at += PAGE_BYTES) {
      if (crc32(some.subarray(at, at + PAGE_BYTES)) !== sums[page])
        throw new DamagedSegment('A stored segment is damaged')
      isRead[page] = 1
    }
  }
}

/** What the system cannot read counts as missing: the files themselves can still be searched. */
function isFilled(fd: number, bytes: Buffer, position: number): boolean {
  try {
    return fillFrom(fd, bytes, position)
  } catch {
    return false
  }
}
