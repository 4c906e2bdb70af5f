import { showLine } from '../pattern/show-line.ts'
import type { CompiledPattern } from '../pattern/types.ts'
import type { FileReader } from './read-file-text.ts'
import { countLines } from './count-lines.ts'
import { lineWriter, type FoundLines } from './found-lines.ts'
import { RUN_FIELDS } from './pieces.ts'
import { BLOCK_FIELDS, FILE_FIELDS, KIND, shared, type Segment } from './segment.ts'

/** The next run that nobody took, and from where on what was found in each is counted. */
const CONTROL = { next: 0, counts: 1 } as const

/** What those share who search the same runs. */
export function runControl(count: number): Int32Array<SharedArrayBuffer> {
  const control = shared.ints(CONTROL.counts + count)
  control.fill(-1, CONTROL.counts)
  return control
}

/** How long what was found is kept back; less where the next run may never end. */
const [FLUSH_MS, UNSTEADY_FLUSH_MS] = [25, 2]
/** A line of so many bytes is shown as it is for certain; of a longer one there may be only the beginning. */
const LONGEST_LINE = 1_000
const [NEWLINE, RETURN] = [10, 13]

export interface RunSearch {
  readonly segments: readonly Segment[]
  /** The files of segments without text, by their places; undefined where a file is not the one that was indexed. */
  readonly reread: (segment: Segment, file: number) => Buffer | undefined
  readonly runs: Int32Array
  readonly count: number
  /** Shared with the others that search the same runs. */
  readonly control: Int32Array<SharedArrayBuffer>
  /** Not 0 once nobody waits for the answer any more. */
  readonly flag: Int32Array<SharedArrayBuffer>
  readonly pattern: CompiledPattern
  /** So many matches are written; the rest is counted. */
  readonly room: number
  readonly before: number
  readonly after: number
  readonly onlyFiles: boolean
  readonly flush: (found: FoundLines) => void
}

/** Takes run after run until none is left. False where a file was not as it had been indexed. */
export function searchRuns(search: RunSearch): boolean {
  const { segments, runs, count, control, flag, flush } = search
  const writer = lineWriter()
  const shown = lineShower(search, writer)
  const flushMs = search.pattern.isSteady ? FLUSH_MS : UNSTEADY_FLUSH_MS
  let flushed = search.pattern.isSteady ? performance.now() : 0
  let [known, sum] = [0, 0]
  let isSame = true
  for (;;) {
    const run = Atomics.add(control, CONTROL.next, 1)
    if (run >= count || Atomics.load(flag, 0) !== 0) break
    for (; known < run; known++) {
      const found = Atomics.load(control, CONTROL.counts + known)
      if (found < 0) break
      sum += found
    }
    const at = run * RUN_FIELDS
    const segment = segments[runs[at] as number]
    if (!segment) continue
    const [from, to, fileOrFound] = [runs[at + 1] as number, runs[at + 2] as number, runs[at + 3] as number]
    const file = fileOrFound < 0 ? ~fileOrFound : fileOrFound
    const text = segment.text ? Buffer.from(segment.text.buffer, from, to - from) : search.reread(segment, file)
    if (text === undefined) {
      isSame = false
      Atomics.store(flag, 0, 1)
      break
    }
    writer.begin(run)
    const total = shown(segment, text, { from, file, isFound: fileOrFound < 0 }, Math.max(0, search.room - sum))
    Atomics.store(control, CONTROL.counts + run, total)
    if (performance.now() - flushed > flushMs) {
      const found = writer.take()
      if (!found) continue
      flush(found)
      flushed = performance.now()
    }
  }
  const found = writer.take()
  if (found) flush(found)
  return isSame
}

type Writer = ReturnType<typeof lineWriter>

/** Finds the lines of one run and writes as many as there is room for; how many there are. */
function lineShower({ pattern, onlyFiles, before, after }: RunSearch, writer: Writer) {
  let latest: { readonly id: number; readonly words: Int32Array } | undefined
  const wordsOf = ({ id, text }: Segment): Int32Array => {
    if (latest?.id !== id) latest = { id, words: new Int32Array((text as Uint8Array).buffer as ArrayBuffer) }
    return latest.words
  }
  return (
    segment: Segment,
    text: Buffer,
    { from, file: begin, isFound }: { readonly from: number; readonly file: number; readonly isFound: boolean },
    room: number,
  ): number => {
    const { files, pathIds } = segment
    const fileCount = segment.counts[0] ?? 0
    const isHeld = segment.text !== undefined
    const words = isHeld ? wordsOf(segment) : undefined
    let file = begin
    /** Bytes from the beginning of the run to that of the file and to its end. */
    let fileStart = isHeld ? (files[file * FILE_FIELDS] as number) - from : 0
    let fileEnd = isHeld ? fileStart + (files[file * FILE_FIELDS + 1] as number) : text.length
    let nextStart = isHeld && file + 1 < fileCount ? (files[(file + 1) * FILE_FIELDS] as number) - from : Infinity
    let counted = Math.max(0, fileStart)
    /** Of the first file it is found out with the first match. */
    let line = fileStart < 0 && words ? 0 : 1
    let [total, written, fileTotal, filesFound, first, last] = [0, 0, 0, 0, -1, -1]
    const endFile = (): void => {
      if (fileTotal === 0) return
      last = pathIds[file] as number
      if (first < 0) first = last
      filesFound++
      if (onlyFiles) {
        writer.int(last)
        writer.int(fileTotal)
        written++
      }
      fileTotal = 0
    }
    const take = (start: number, end: number): void => {
      if (start >= nextStart) {
        endFile()
        do {
          file++
          nextStart = file + 1 < fileCount ? (files[(file + 1) * FILE_FIELDS] as number) - from : Infinity
        } while (start >= nextStart)
        fileStart = (files[file * FILE_FIELDS] as number) - from
        fileEnd = fileStart + (files[file * FILE_FIELDS + 1] as number)
        counted = fileStart
        line = 1
      }
      total++
      fileTotal++
      if (onlyFiles || written >= room) return
      if (line === 0 && words) line = linesBefore(segment, fileStart + from, from, words) + 1
      line += words
        ? countLines(segment.text as Uint8Array, words, from + counted, from + start)
        : linesIn(text, counted, start)
      counted = start
      written++
      writer.int(pathIds[file] as number)
      writer.int(line)
      const isShort = pattern.byLine && end - start < LONGEST_LINE
      if (isShort) writeLine(text, start, end)
      if (isShort && before + after === 0) return
      // The lines around a match may lie in blocks that were not searched.
      const whole = isHeld
        ? Buffer.from((segment.text as Uint8Array).buffer as ArrayBuffer, from + fileStart, fileEnd - fileStart)
        : text
      if (!isShort) writeText(shownLines(whole, start - fileStart, end - fileStart))
      if (before + after > 0) writeAround(whole, start - fileStart, end - fileStart)
    }
    if (isFound) take(0, text[text.length - 1] === NEWLINE ? text.length - 1 : text.length)
    else pattern.find(text, take)
    endFile()
    writer.end({ total, files: filesFound, first, last, written })
    return total
  }

  /** A match over several lines is shown whole, each of its lines by its beginning where it is long. */
  function shownLines(whole: Buffer, start: number, end: number): string {
    if (pattern.byLine) return showLine(whole, start, end)
    const shown: string[] = []
    for (let at = start; at <= end;) {
      const newline = whole.indexOf(NEWLINE, at)
      const to = newline < 0 || newline > end ? end : newline
      shown.push(showLine(whole, at, to))
      at = to + 1
    }
    return shown.join('\n')
  }

  function writeText(shown: string): void {
    const bytes = Buffer.from(shown)
    writer.bytes(bytes, 0, bytes.length)
  }

  function writeLine(text: Buffer, start: number, end: number): void {
    const last = text[end] === NEWLINE && end > start && text[end - 1] === RETURN ? end - 1 : end
    writer.bytes(text, start, last)
  }

  function writeAround(whole: Buffer, start: number, end: number): void {
    const lines: [number, number][] = []
    for (let at = start; lines.length < before && at > 0;) {
      const from = at === 1 ? 0 : whole.lastIndexOf(NEWLINE, at - 2) + 1
      lines.unshift([from, at - 1])
      at = from
    }
    writeContext(whole, lines)
    lines.length = 0
    for (let at = end + 1; lines.length < after && at < whole.length;) {
      const newline = whole.indexOf(NEWLINE, at)
      const to = newline < 0 ? whole.length : newline
      lines.push([at, to])
      at = to + 1
    }
    writeContext(whole, lines)
  }

  function writeContext(whole: Buffer, lines: readonly [number, number][]): void {
    writer.int(lines.length)
    for (const [from, to] of lines) {
      if (to - from < LONGEST_LINE) writeLine(whole, from, to)
      else writeText(showLine(whole, from, to))
    }
  }
}

/** Line feeds of the file between its beginning and this place. */
function linesBefore({ blocks, counts, text }: Segment, fileStart: number, from: number, words: Int32Array): number {
  let [low, high] = [0, (counts[1] ?? 0) - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((blocks[middle * BLOCK_FIELDS] as number) <= from) low = middle
    else high = middle - 1
  }
  const start = blocks[low * BLOCK_FIELDS] as number
  const known = start < fileStart ? 0 : (blocks[low * BLOCK_FIELDS + 2] as number)
  return known + countLines(text as Uint8Array, words, Math.max(start, fileStart), from)
}

function linesIn(text: Buffer, from: number, to: number): number {
  let lines = 0
  for (let at = from; at < to; at++) if (text[at] === NEWLINE) lines++
  return lines
}

/** Reads files again that were too much to hold, and takes none that changed since. */
export function rereader(
  reader: FileReader,
  known: (segment: Segment, file: number) => { readonly path: string; readonly stamp: string } | undefined,
) {
  return (segment: Segment, file: number): Buffer | undefined => {
    const expected = known(segment, file)
    const now = expected && reader.read(expected.path)
    if (!now || now.stamp !== expected.stamp || (now.kind !== KIND.text && now.kind !== KIND.oddEnd)) return undefined
    return now.text
  }
}
