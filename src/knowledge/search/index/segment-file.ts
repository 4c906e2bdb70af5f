import { closeSync, openSync, readSync, renameSync, rmSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type { Taken } from './messages.ts'
import { BLOCK_FIELDS, COUNTS, FILE_FIELDS, marksFor, shared, type Segment } from './segment.ts'

/** Change the version with the format of the file, of blocks, or of `searchableText`. */
const VERSION = 'toolwright-segment-6\n'
/** Each part has a checksum for every page of this size, so that a reader of little need not read all. */
const PAGE_BYTES = 16_384
const NOTHING = Buffer.alloc(0)
const HEAD_BYTES = VERSION.length + 12

interface Head {
  readonly taken: readonly Taken[]
  readonly counts: readonly number[]
  readonly textBytes: number
  readonly keys: number
  readonly lists: number
}

export interface StoredSegment {
  readonly segment: Segment
  readonly taken: readonly Taken[]
  readonly textBytes: number
}

/** Writes a segment completely or not at all. */
export function writeSegment(file: string, { segment, taken, textBytes }: StoredSegment): void {
  const { postings, text, files, blocks, lineMarks, counts } = segment
  if (!postings) return
  const held = text ? textBytes : 0
  const head: Head = {
    taken,
    counts: [...counts],
    textBytes: held,
    keys: postings.keys.length,
    lists: postings.lists.length,
  }
  const json = Buffer.from(JSON.stringify(head))
  const tables = [
    files,
    blocks,
    lineMarks.subarray(0, marksFor(held)),
    postings.keys,
    postings.offsets,
    postings.lists,
    text?.subarray(0, held) ?? NOTHING,
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
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  } finally {
    closeSync(fd)
  }
}

/**
 * Reads a stored segment, with its text if stored and wanted. Returns undefined if the file is not exactly as written.
 */
export function readSegment(file: string, id: number, holdsText: boolean): StoredSegment | undefined {
  let fd
  try {
    fd = openSync(file, 'r')
  } catch {
    return undefined
  }
  try {
    return readOpened(fd, id, holdsText)
  } catch {
    return undefined
  } finally {
    closeSync(fd)
  }
}

function readOpened(fd: number, id: number, holdsText: boolean): StoredSegment | undefined {
  const begin = Buffer.alloc(HEAD_BYTES)
  if (!fillFrom(fd, begin) || begin.toString('latin1', 0, VERSION.length) !== VERSION) return undefined
  if (begin.readUInt32LE(VERSION.length + 8) !== crc32(begin.subarray(0, HEAD_BYTES - 4))) return undefined
  const json = Buffer.alloc(begin.readUInt32LE(VERSION.length))
  if (!fillFrom(fd, json)) return undefined
  const head: Head = JSON.parse(json.toString('utf8'))
  const [fileCount = 0, blockCount = 0] = head.counts
  const files = shared.ints(fileCount * FILE_FIELDS)
  const blocks = shared.ints(blockCount * BLOCK_FIELDS)
  const lineMarks = shared.ints(marksFor(head.textBytes))
  const postings = {
    keys: shared.words(head.keys),
    offsets: shared.words(head.keys + 1),
    lists: shared.halves(head.lists),
  }
  const text = shared.bytes(head.textBytes)
  const { keys, offsets, lists } = postings
  const tables = [files, blocks, lineMarks, keys, offsets, lists, text.subarray(0, head.textBytes)].map(bytesOf)
  const parts = [Buffer.alloc(sumBytes(tables.map(({ length }) => length))), ...tables]
  if (!parts.every(part => fillFrom(fd, part)) || readSync(fd, Buffer.alloc(1)) !== 0) return undefined
  const sum = [json, ...parts].reduce((so, part) => crc32(part, so), 0)
  if (sum !== begin.readUInt32LE(VERSION.length + 4)) return undefined
  const counts = shared.ints(COUNTS)
  counts.set(head.counts)
  const segment: Segment = {
    id,
    counts,
    text: holdsText && (head.textBytes > 0 || blockCount === 0) ? text : undefined,
    files,
    live: shared.bytes(fileCount),
    pathIds: shared.ints(fileCount),
    blocks,
    lineMarks,
    postings,
    signatures: undefined,
  }
  return { segment, taken: head.taken, textBytes: head.textBytes }
}

/** Number of the checksums of a part. */
const pagesOf = (bytes: number): number => Math.ceil(bytes / PAGE_BYTES)

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

function fillFrom(fd: number, bytes: Buffer): boolean {
  for (let at = 0; at < bytes.length;) {
    const more = readSync(fd, bytes, at, bytes.length - at, null)
    if (more === 0) return false
    at += more
  }
  return true
}
