import { closeSync, fstatSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Taken, TextPlace } from './messages.ts'
import { BLOCK_FIELDS, FILE_FIELDS, marksFor, segmentWith, sharedArrays, type Segment } from './segment.ts'

/** Change the version with the format of the file, of blocks, or of `searchableText`. */
const VERSION = 'toolwright-segment-6\n'
/** Each part has a checksum for every page of this size, so that a reader of little need not read all. */
export const PAGE_BYTES = 16_384
const NOTHING = Buffer.alloc(0)
const HEAD_BYTES = VERSION.length + 12
/** A text is checked in parts of this size. */
const PART_BYTES = 1 << 18

interface Head {
  readonly taken: readonly Taken[]
  readonly counts: readonly number[]
  readonly textBytes: number
  readonly keys: number
  readonly lists: number
}

interface WrittenSegment {
  readonly segment: Segment
  readonly taken: readonly Taken[]
  readonly textBytes: number
}

/** A segment without its text, and where that is unless it was not stored. */
export interface StoredSegment extends WrittenSegment {
  readonly place: TextPlace | undefined
}

/** Where the parts of a stored segment are. */
export interface SegmentPlan extends Pick<Head, 'counts' | 'textBytes' | 'keys' | 'lists'> {
  /** Bytes before the first part. */
  readonly start: number
}

/** Returns the lengths of the parts behind the checksums, in order. */
export const partLengths = ({ counts: [files = 0, blocks = 0], textBytes, keys, lists }: SegmentPlan): number[] => [
  files * FILE_FIELDS * 4,
  blocks * BLOCK_FIELDS * 4,
  marksFor(textBytes) * 4,
  keys * 4,
  (keys + 1) * 4,
  lists * 2,
  textBytes,
]

/** Writes a segment completely or not at all. Returns where its text is. */
export function writeSegment(file: string, { segment, taken, textBytes }: WrittenSegment): TextPlace | undefined {
  const { postings, text, files, blocks, lineMarks, counts } = segment
  if (!postings) return undefined
  const heldBytes = text ? textBytes : 0
  const head: Head = {
    taken,
    counts: [...counts],
    textBytes: heldBytes,
    keys: postings.keys.length,
    lists: postings.lists.length,
  }
  const json = Buffer.from(JSON.stringify(head))
  const tables = [
    files,
    blocks,
    lineMarks.subarray(0, marksFor(heldBytes)),
    postings.keys,
    postings.offsets,
    postings.lists,
    text?.subarray(0, heldBytes) ?? NOTHING,
  ].map(bytesOf)
  const parts = [json, bytesOf(sumsOf(tables)), ...tables]
  const begin = Buffer.alloc(HEAD_BYTES)
  begin.write(VERSION, 'latin1')
  begin.writeUInt32LE(json.length, VERSION.length)
  begin.writeUInt32LE(
    parts.reduce((sum, part) => crc32(part, sum), 0),
    VERSION.length + 4,
  )
  begin.writeUInt32LE(crc32(begin.subarray(0, HEAD_BYTES - 4)), VERSION.length + 8)
  const beside = `${file}.${process.pid}.new`
  const fd = openSync(beside, 'wx', 0o600)
  try {
    for (const part of [begin, ...parts]) for (let at = 0; at < part.length;) at += writeSync(fd, part, at)
    renameSync(beside, file)
    return text && placeOf(file, fd, heldBytes)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

/** Reads a stored segment but for its text. Returns undefined if the file, with the text, is not exactly as written. */
export function readSegment(file: string, id: number): StoredSegment | undefined {
  let fd
  try {
    fd = openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    return readOpened(file, fd, id)
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}

/**
 * Returns where the parts of a stored segment are, and the checksums of their pages. Returns undefined if the file is
 * not one of this segment with its text.
 */
export function readPlan(
  fd: number,
  { segment, textBytes }: Pick<WrittenSegment, 'segment' | 'textBytes'>,
): { readonly plan: SegmentPlan; readonly sums: Uint32Array } | undefined {
  const { counts, postings } = segment
  const begin = Buffer.alloc(HEAD_BYTES)
  if (!postings || !fillFrom(fd, begin, 0) || !isHead(begin)) return undefined
  const [keys, lists] = [postings.keys.length, postings.lists.length]
  const plan = { counts: [...counts], textBytes, keys, lists, start: 0 }
  const lengths = partLengths(plan)
  const sums = new Uint32Array(sumBytes(lengths) / 4)
  const position = HEAD_BYTES + begin.readUInt32LE(VERSION.length)
  if (!fillFrom(fd, bytesOf(sums), position)) return undefined
  const start = position + sums.byteLength
  const isWhole = fstatSync(fd).size === lengths.reduce((sum, length) => sum + length, start)
  return isWhole ? { plan: { ...plan, start }, sums } : undefined
}

const isHead = (begin: Buffer): boolean =>
  begin.toString('latin1', 0, VERSION.length) === VERSION &&
  begin.readUInt32LE(VERSION.length + 8) === crc32(begin.subarray(0, HEAD_BYTES - 4))

function readOpened(file: string, fd: number, id: number): StoredSegment | undefined {
  const begin = Buffer.alloc(HEAD_BYTES)
  if (!fillFrom(fd, begin) || !isHead(begin)) return undefined
  const json = Buffer.alloc(begin.readUInt32LE(VERSION.length))
  if (!fillFrom(fd, json)) return undefined
  const head: Head = JSON.parse(json.toString('utf8'))
  const [fileCount = 0, blockCount = 0] = head.counts
  const files = sharedArrays.ints(fileCount * FILE_FIELDS)
  const blocks = sharedArrays.ints(blockCount * BLOCK_FIELDS)
  const lineMarks = sharedArrays.ints(marksFor(head.textBytes))
  const postings = {
    keys: sharedArrays.words(head.keys),
    offsets: sharedArrays.words(head.keys + 1),
    lists: sharedArrays.halves(head.lists),
  }
  const { keys, offsets, lists } = postings
  const tables = [files, blocks, lineMarks, keys, offsets, lists].map(bytesOf)
  const sums = Buffer.alloc(sumBytes([...tables.map(({ length }) => length), head.textBytes]))
  const parts = [sums, ...tables]
  if (!parts.every(part => fillFrom(fd, part))) return undefined
  const before = [json, ...parts].reduce((so, part) => crc32(part, so), 0)
  if (sumOfText(fd, head.textBytes, before) !== begin.readUInt32LE(VERSION.length + 4)) return undefined
  if (readSync(fd, Buffer.alloc(1)) !== 0) return undefined
  const segment = segmentWith(id, head.counts, { text: undefined, files, blocks, lineMarks, postings })
  const isStored = head.textBytes > 0 || blockCount === 0
  const place = isStored ? placeOf(file, fd, head.textBytes) : undefined
  return { segment, taken: head.taken, textBytes: head.textBytes, place }
}

/** The text ends the file. */
function placeOf(file: string, fd: number, textBytes: number): TextPlace {
  const { dev, ino, size } = fstatSync(fd)
  return { file, dev, ino, start: size - textBytes, bytes: textBytes }
}

/** Adds a text to a checksum without holding it. Returns undefined if it is cut short. */
function sumOfText(fd: number, textBytes: number, before: number): number | undefined {
  const part = Buffer.allocUnsafeSlow(Math.min(textBytes, PART_BYTES))
  let sum = before
  for (let bytesLeft = textBytes; bytesLeft > 0;) {
    const some = part.subarray(0, bytesLeft)
    if (!fillFrom(fd, some)) return undefined
    sum = crc32(some, sum)
    bytesLeft -= some.length
  }
  return sum
}

/** Number of the checksums of a part. */
export const pagesOf = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES)

const sumBytes = (lengths: readonly number[]): number => lengths.reduce((sum, length) => sum + pagesOf(length), 0) * 4

/** Returns the checksums of all pages, part after part. */
function sumsOf(parts: readonly Buffer[]): Uint32Array {
  const sums: number[] = []
  for (const part of parts)
    for (let at = 0; at < part.length; at += PAGE_BYTES) sums.push(crc32(part.subarray(at, at + PAGE_BYTES)))
  return Uint32Array.from(sums)
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength)

/** Reads from this position, or from where the last read ended. Returns false if the file ends before. */
export function fillFrom(fd: number, bytes: Buffer, position?: number): boolean {
  for (let at = 0; at < bytes.length;) {
    const more = readSync(fd, bytes, at, bytes.length - at, position === undefined ? null : position + at)
    if (more === 0) return false
    at += more
  }
  return true
}
