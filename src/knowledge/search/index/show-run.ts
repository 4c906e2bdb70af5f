import { showLine } from '../pattern/show-line.ts'
import type { CompiledPattern } from '../pattern/types.ts'
import { countLines } from '../count-lines.ts'
import type { LineWriter } from './found-lines.ts'
import type { TextPart, TextWindow } from './segment-texts.ts'
import { BLOCK_FIELDS, FILE_FIELDS, hasText, MARK_BYTES, type Segment } from './segment.ts'

/** A line of this many bytes is always shown whole; a longer one may be cut. */
const LONGEST_LINE = 1_000
const [NEWLINE, RETURN] = [10, 13]

export interface Shown {
  readonly pattern: CompiledPattern
  readonly before: number
  readonly after: number
  readonly onlyFiles: boolean
  /** Reads the files around the lines that are found. */
  readonly fileWindow: TextWindow
}

/** One run: its text, its offset in the segment's text, and the file it begins in. */
export interface ShownRun {
  readonly segment: Segment
  /** What its text is a part of. Undefined if the segment has no text; a run is then a part of one file. */
  readonly part: TextPart | undefined
  readonly text: Buffer
  readonly from: number
  readonly file: number
  /** The run is one line that certainly matches. */
  readonly isFound: boolean
}

/** Finds the lines of one run after another and writes as many as fit. Returns the number in each run. */
export function runShower({ pattern, onlyFiles, fileWindow, ...around }: Shown, writer: LineWriter) {
  const { before, after } = around
  let [text, from, matchLimit]: [Buffer, number, number] = [Buffer.alloc(0), 0, 0]
  let segment: Segment | undefined
  let part: TextPart | undefined
  let [file, fileCount] = [0, 0]
  /** Offsets in the run: start of the file, its end, and start of the next file. */
  let [fileStart, fileEnd, nextStart] = [0, 0, 0]
  /** Line number at this byte of the run. */
  let [line, countedUpTo] = [1, 0]
  let [total, writtenCount, fileTotal, filesFound, first, last] = [0, 0, 0, 0, -1, -1]

  return (run: ShownRun, roomLeft: number): number => {
    if (segment !== run.segment) {
      ;({ segment } = run)
      fileCount = segment.counts[0] ?? 0
    }
    ;({ text, from, part } = run)
    matchLimit = roomLeft
    ;[total, writtenCount, fileTotal, filesFound, first, last] = [0, 0, 0, 0, -1, -1]
    openFile(segment, run.file)
    if (run.isFound) take(0, text[text.length - 1] === NEWLINE ? text.length - 1 : text.length)
    else pattern.find(text, take)
    endFile(segment)
    writer.end(total, filesFound, first, last, writtenCount)
    return total
  }

  function openFile({ files, blocks, counts: [, blockCount = 0] }: Segment, place: number): void {
    file = place
    line = 1
    const at = place * FILE_FIELDS
    if (!part) {
      ;[fileStart, fileEnd, nextStart, countedUpTo] = [0, text.length, Infinity, 0]
      if (from !== files[at]) line = linesBefore(blocks, blockCount, from) - (files[at + 3] as number) + 1
      return
    }
    fileStart = (files[at] as number) - from
    fileEnd = fileStart + (files[at + 1] as number)
    nextStart = place + 1 < fileCount ? (files[at + FILE_FIELDS] as number) - from : Infinity
    countedUpTo = fileStart
  }

  function endFile({ pathIds }: Segment): void {
    if (fileTotal === 0) return
    last = pathIds[file] as number
    if (first < 0) first = last
    filesFound++
    if (onlyFiles) {
      writer.int(last)
      writer.int(fileTotal)
      writtenCount++
    }
    fileTotal = 0
  }

  function take(start: number, end: number): void {
    if (!segment) return
    if (start >= nextStart) {
      endFile(segment)
      let next = file + 1
      while (next + 1 < fileCount && start >= (segment.files[(next + 1) * FILE_FIELDS] as number) - from) next++
      openFile(segment, next)
    }
    total++
    fileTotal++
    if (onlyFiles || writtenCount >= matchLimit) return
    writtenCount++
    writer.int(segment.pathIds[file] as number)
    writer.int(lineOf(segment, start))
    const isShort = pattern.byLine && end - start < LONGEST_LINE
    if (isShort) writeLine(writer, text, start, end)
    if (isShort && before + after === 0) return
    // Context lines may lie in blocks that were not searched.
    if (!isShort) writeText(writer, shownLines(pattern, text.subarray(0, fileEnd), start, end))
    if (before + after > 0) writeAround(writer, around, wholeFile(segment), start - fileStart, end - fileStart)
  }

  function wholeFile(searched: Segment): Buffer {
    if (!hasText(searched)) return text
    const [start, end] = [from + fileStart, from + fileEnd]
    const { bytes, base } = fileWindow.read(searched, start, end)
    return bytes.subarray(start - base, end - base)
  }

  /** Counts from the last match or the last mark, whichever is nearer. */
  function lineOf({ files, lineMarks }: Segment, start: number): number {
    if (part) {
      const mark = Math.floor((from + start) / MARK_BYTES)
      if (mark * MARK_BYTES - from > countedUpTo) {
        countedUpTo = mark * MARK_BYTES - from
        line = (lineMarks[mark] as number) - (files[file * FILE_FIELDS + 3] as number) + 1
      }
      const offset = from - part.base
      line += countLines(part.bytes, part.words, offset + countedUpTo, offset + start)
    } else line += linesIn(text, countedUpTo, start)
    countedUpTo = start
    return line
  }
}

/** Returns the line feeds before a block, given the start of the block. */
function linesBefore(blocks: Int32Array, count: number, start: number): number {
  let [low, high] = [0, count - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((blocks[middle * BLOCK_FIELDS] as number) < start) low = middle + 1
    else high = middle
  }
  return blocks[low * BLOCK_FIELDS + 2] as number
}

/** Shows a match over several lines whole, and cuts each long line. */
function shownLines(pattern: CompiledPattern, whole: Buffer, start: number, end: number): string {
  if (pattern.byLine) return showLine(whole, start, end)
  const cutLines: string[] = []
  for (let at = start; at <= end;) {
    const newline = whole.indexOf(NEWLINE, at)
    const to = newline < 0 || newline > end ? end : newline
    cutLines.push(showLine(whole, at, to))
    at = to + 1
  }
  return cutLines.join('\n')
}

function writeText(writer: LineWriter, shown: string): void {
  const bytes = Buffer.from(shown)
  writer.bytes(bytes, 0, bytes.length)
}

function writeLine(writer: LineWriter, whole: Buffer, start: number, end: number): void {
  const to = whole[end] === NEWLINE && end > start && whole[end - 1] === RETURN ? end - 1 : end
  writer.bytes(whole, start, to)
}

function writeAround(
  writer: LineWriter,
  { before, after }: Pick<Shown, 'before' | 'after'>,
  whole: Buffer,
  start: number,
  end: number,
): void {
  const lines: [number, number][] = []
  for (let at = start; lines.length < before && at > 0;) {
    const begin = at === 1 ? 0 : whole.lastIndexOf(NEWLINE, at - 2) + 1
    lines.unshift([begin, at - 1])
    at = begin
  }
  writeContext(writer, whole, lines)
  lines.length = 0
  for (let at = end + 1; lines.length < after && at < whole.length;) {
    const newline = whole.indexOf(NEWLINE, at)
    const to = newline < 0 ? whole.length : newline
    lines.push([at, to])
    at = to + 1
  }
  writeContext(writer, whole, lines)
}

function writeContext(writer: LineWriter, whole: Buffer, lines: readonly [number, number][]): void {
  writer.int(lines.length)
  for (const [start, end] of lines) {
    if (end - start < LONGEST_LINE) writeLine(writer, whole, start, end)
    else writeText(writer, showLine(whole, start, end))
  }
}

function linesIn(text: Buffer, from: number, to: number): number {
  let lines = 0
  for (let at = from; at < to; at++) if (text[at] === NEWLINE) lines++
  return lines
}
