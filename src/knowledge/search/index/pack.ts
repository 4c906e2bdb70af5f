import { countLines } from '../count-lines.ts'
import {
  BLOCK_BYTES,
  BLOCK_FIELDS,
  COUNTS,
  FILE_FIELDS,
  KIND,
  knownEnd,
  MARK_BYTES,
  marksFor,
  sharedArrays,
  type Segment,
} from './segment.ts'
import { sign, signaturesFor } from './signatures.ts'

/**
 * A segment that still accepts files. They neither count nor become live until the holder of the segment decides so.
 */
export interface Pack {
  readonly segment: Segment
  /** Returns the file's number in the segment, or undefined if there is no room. */
  add(pathId: number, kind: number, text: Uint8Array): number | undefined
  /** Bytes of text so far, including separators between files. */
  end(): number
  /** Values for the segment's `counts` after all additions. Not applied yet, because others may be searching it. */
  counts(): readonly number[]
}

interface PackRoom {
  readonly id: number
  readonly textBytes: number
  readonly files: number
  /** Each block gets a signature, so that the segment is searchable at once. Otherwise it needs postings first. */
  readonly signed: boolean
}

/** Larger blocks, because a signature takes the same room for a short block. */
const SIGNED_BLOCK_BYTES = 4_096
/** Blocks for a full text. Files that begin blocks of their own add more, and 16 bits still number all. */
const MOST_BLOCKS = 32_768
const [NEWLINE, RETURN] = [10, 13]

/** Opens room for consecutive texts. Each ends its last line, so that lines of two files never join. */
export function openPack({ id, textBytes, files, signed }: PackRoom): Pack {
  const blockBytes = Math.max(signed ? SIGNED_BLOCK_BYTES : BLOCK_BYTES, Math.ceil(textBytes / MOST_BLOCKS))
  /** Cuts a line that would make a block longer than this. */
  const longestBlock = blockBytes * 2
  const blockRoom = Math.ceil(textBytes / blockBytes) + (signed ? files : 0) + 1
  const segment = emptySegment({ id, textBytes, files, signed }, blockRoom)
  const { text } = segment
  const words = new Int32Array(text.buffer)
  let [fileCount, blockCount, oddities, within] = [0, 0, 0, 0]
  let end = 0
  /** Line feeds so far. */
  let lines = 0

  /** Counts the lines added from this offset on. */
  const markLines = (start: number): void => {
    let countedUpTo = start
    for (let mark = start - (start % MARK_BYTES) + MARK_BYTES; mark <= end; mark += MARK_BYTES) {
      lines += countLines(text, words, countedUpTo, mark)
      segment.lineMarks[mark / MARK_BYTES] = lines
      countedUpTo = mark
    }
    lines += countLines(text, words, countedUpTo, end)
  }

  const linesBefore = (place: number): number => {
    const mark = place - (place % MARK_BYTES)
    return (segment.lineMarks[mark / MARK_BYTES] ?? 0) + countLines(text, words, mark, place)
  }

  const openBlock = (start: number, file: number, first = blockCount): void => {
    segment.blocks.set([start, file, linesBefore(start), first], blockCount * BLOCK_FIELDS)
    if (first !== blockCount) within++
    blockCount++
  }

  /** Cuts blocks after lines; with signatures, also at the start of every file. */
  const cut = (file: number, start: number): void => {
    let from = blockCount === 0 ? -1 : (segment.blocks[(blockCount - 1) * BLOCK_FIELDS] ?? 0)
    if (from < 0 || signed || start - from >= blockBytes) {
      openBlock(start, file)
      from = start
    }
    /** End of the line that contains the next cut. */
    let newline = -1
    while (end - from > blockBytes) {
      const middle = from + blockBytes
      if (newline < middle - 1) newline = text.indexOf(NEWLINE, Math.max(start, middle - 1))
      const lineEnd = newline < 0 || newline >= end ? end : newline + 1
      const isCut = lineEnd - from > longestBlock
      if (!isCut && lineEnd >= end) return
      from = isCut ? middle : lineEnd
      const previous = blockCount - 1
      openBlock(from, file, isCut ? (segment.blocks[previous * BLOCK_FIELDS + 3] ?? previous) : blockCount)
    }
  }

  const signFrom = (first: number): void => {
    const { signatures } = segment
    if (!signatures) return
    for (let block = first; block < blockCount; block++)
      sign(
        signatures,
        block,
        text,
        segment.blocks[block * BLOCK_FIELDS] ?? 0,
        knownEnd(segment.blocks, blockCount, block, end),
      )
  }

  return {
    segment,
    end: () => end,
    counts: () => [fileCount, blockCount, oddities, within],
    add(pathId, kind, bytes) {
      const needsEnd = bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE
      if (fileCount === files || end + bytes.length + 1 > textBytes) return undefined
      const start = end
      text.set(bytes, start)
      end += bytes.length
      if (needsEnd) text[end++] = NEWLINE
      // An added line break would turn the file's last carriage return into part of it.
      const isOdd = needsEnd && bytes[bytes.length - 1] === RETURN
      segment.files.set([start, bytes.length, isOdd ? KIND.oddEnd : kind, lines], fileCount * FILE_FIELDS)
      markLines(start)
      segment.pathIds[fileCount] = pathId
      const first = blockCount
      if (bytes.length > 0) cut(fileCount, start)
      signFrom(first)
      fileCount++
      if (kind === KIND.huge || kind === KIND.lateBinary) oddities++
      return fileCount - 1
    },
  }
}

function emptySegment({ id, textBytes, files, signed }: PackRoom, blockRoom: number) {
  return {
    id,
    counts: sharedArrays.ints(COUNTS),
    text: sharedArrays.bytes(textBytes),
    stored: undefined,
    files: sharedArrays.ints(files * FILE_FIELDS),
    live: sharedArrays.bytes(files),
    pathIds: sharedArrays.ints(files),
    blocks: sharedArrays.ints(blockRoom * BLOCK_FIELDS),
    lineMarks: sharedArrays.ints(marksFor(textBytes)),
    postings: undefined,
    signatures: signed ? signaturesFor(blockRoom) : undefined,
  } satisfies Segment
}
