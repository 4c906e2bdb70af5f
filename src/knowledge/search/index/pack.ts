import { countLines } from './count-lines.ts'
import {
  BLOCK_BYTES,
  BLOCK_FIELDS,
  COUNTS,
  FILE_FIELDS,
  KIND,
  knownEnd,
  MARK_BYTES,
  marksFor,
  shared,
  type Segment,
} from './segment.ts'
import { sign, signaturesFor } from './signatures.ts'

/** A segment that files are still put into; none of them counts or is alive before whoever holds the segment says so. */
export interface Pack {
  readonly segment: Segment
  /** The number that the file has in the segment; undefined if it has no more room. */
  add(pathId: number, kind: number, text: Uint8Array): number | undefined
  /** Bytes of text so far, with what stands between files. */
  end(): number
  /** What `counts` of the segment are once all that was added counts: others may be searching it. */
  counts(): readonly number[]
}

interface PackRoom {
  readonly id: number
  readonly textBytes: number
  readonly files: number
  /** Each block gets a signature, so that the segment can be searched at once; else it needs postings first. */
  readonly signed: boolean
}

/** A signature takes as much room for a short block as for a longer one. */
const SIGNED_BLOCK_BYTES = 4_096
/** Of as much text as there is room for; where more files begin blocks of their own, 16 bits still number them all. */
const MOST_BLOCKS = 32_768
const [NEWLINE, RETURN] = [10, 13]

/** Room for texts, one after another: each ends its last line, so that lines of two files never run together. */
export function openPack({ id, textBytes, files, signed }: PackRoom): Pack {
  const blockBytes = Math.max(signed ? SIGNED_BLOCK_BYTES : BLOCK_BYTES, Math.ceil(textBytes / MOST_BLOCKS))
  /** A line that would make a block longer than this is cut. */
  const longestBlock = blockBytes * 2
  const blockRoom = Math.ceil(textBytes / blockBytes) + (signed ? files : 0) + 1
  const segment = emptySegment({ id, textBytes, files, signed }, blockRoom)
  const { text } = segment
  const words = new Int32Array(text.buffer)
  let [fileCount, blockCount, oddities, within] = [0, 0, 0, 0]
  let end = 0
  /** Line feeds so far. */
  let lines = 0

  /** Counts the lines of what was put there from this place on. */
  const markLines = (start: number): void => {
    let counted = start
    for (let mark = start - (start % MARK_BYTES) + MARK_BYTES; mark <= end; mark += MARK_BYTES) {
      lines += countLines(text, words, counted, mark)
      segment.lineMarks[mark / MARK_BYTES] = lines
      counted = mark
    }
    lines += countLines(text, words, counted, end)
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

  /** Blocks are cut after lines; where each has a signature, at the beginning of every file too. */
  const cut = (file: number, start: number): void => {
    let from = blockCount === 0 ? -1 : (segment.blocks[(blockCount - 1) * BLOCK_FIELDS] ?? 0)
    if (from < 0 || signed || start - from >= blockBytes) {
      openBlock(start, file)
      from = start
    }
    /** Where the line ends that the next cut would fall into. */
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
      // A line break that the file does not have would make its last carriage return a part of it.
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
    counts: shared.ints(COUNTS),
    text: shared.bytes(textBytes),
    files: shared.ints(files * FILE_FIELDS),
    live: shared.bytes(files),
    pathIds: shared.ints(files),
    blocks: shared.ints(blockRoom * BLOCK_FIELDS),
    lineMarks: shared.ints(marksFor(textBytes)),
    postings: undefined,
    signatures: signed ? signaturesFor(blockRoom) : undefined,
  } satisfies Segment
}
