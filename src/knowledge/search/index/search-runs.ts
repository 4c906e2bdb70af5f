import type { FileReader } from './read-file-text.ts'
import { lineWriter, type FoundLines } from './found-lines.ts'
import type { GrepOptions } from '../types.ts'
import { RUN_FIELDS, type Runs } from './pieces.ts'
import type { TextWindow } from './segment-texts.ts'
import { FILE_FIELDS, hasText, type Segment } from './segment.ts'
import { runShower, type Shown, type ShownRun } from './show-run.ts'

/** Positions of the next free run and of the first count of matches. */
const CONTROL = { next: 0, counts: 1 } as const

/** Creates the control block for threads that search the same runs; `alone` if there is only one. */
export const runControl = <Ints extends Int32Array>(count: number, ints: (length: number) => Ints): Ints =>
  ints(CONTROL.counts + count).fill(-1, CONTROL.counts)

export const alone = (length: number): Int32Array => new Int32Array(length)

/** Longest delay before matches are sent. A search that may never end is given up before its matches are of use. */
const FLUSH_MS = 25
/** Runs of a text, which end soon, searched between two looks at the clock. */
const STEADY_RUNS = 16
/** Runs are read together if less than this lies between them: about as much as is copied in the time of a call. */
const BETWEEN_BYTES = 8_192
/** A read of neighbouring runs ends soon after this many bytes, so that threads can share them. */
const TOGETHER_BYTES = 131_072

export interface RunSearch extends Shown {
  readonly segments: readonly Segment[]
  /** Reads the runs. */
  readonly runWindow: TextWindow
  /** Reads a part of a file of a segment without text. Returns undefined if the file is not the one that was indexed. */
  readonly reread: (segment: Segment, file: number, from: number, to: number) => Buffer | undefined
  readonly runs: Int32Array
  readonly count: number
  /** Shared with the threads that search the same runs. */
  readonly control: Int32Array
  /** Not 0 once no caller waits for the answer. */
  readonly flag: Int32Array<SharedArrayBuffer>
  /** Matches to write; further ones are only counted. */
  readonly room: number
  readonly flush: (found: FoundLines) => void
}

/** One writer per thread, because its searches run one after another. */
const writer = lineWriter()

/** Takes run after run until none is left. Returns false if a file had changed since it was indexed. */
export function searchRuns(search: RunSearch): boolean {
  const { control, flag, flush } = search
  writer.clear()
  const showRun = runShower(search, writer)
  const runsAtOnce = search.pattern.isSteady ? STEADY_RUNS : 1
  let flushedAt = performance.now()
  let [summedRuns, sum, runsSinceFlush] = [0, 0, 0]
  let isSame = true
  for (let batch = takeRuns(search); isSame && batch.from < batch.to; batch = takeRuns(search))
    for (let run = batch.from; run < batch.to; run++) {
      if (Atomics.load(flag, 0) !== 0) break
      for (; summedRuns < run; summedRuns++) {
        const countOfRun = Atomics.load(control, CONTROL.counts + summedRuns)
        if (countOfRun < 0) break
        sum += countOfRun
      }
      const one = readRun(search, run, batch.end)
      if (one === undefined) {
        isSame = false
        Atomics.store(flag, 0, 1)
        break
      }
      writer.begin(run)
      Atomics.store(control, CONTROL.counts + run, showRun(one, Math.max(0, search.room - sum)))
      if (one.part && ++runsSinceFlush < runsAtOnce) continue
      runsSinceFlush = 0
      if (performance.now() - flushedAt > FLUSH_MS) {
        const lines = writer.take()
        if (!lines) continue
        flush(lines)
        flushedAt = performance.now()
      }
    }
  const lastLines = writer.take()
  if (lastLines) flush(lastLines)
  return isSame
}

interface AloneSearch extends Pick<RunSearch, 'segments' | 'pattern' | 'runWindow' | 'fileWindow' | 'flag'> {
  readonly runs: Runs
  readonly options: Omit<GrepOptions, 'signal'>
}

/** Searches runs of segments that have their texts, all in the calling thread. */
export function searchAlone({ runs, options, ...search }: AloneSearch): readonly FoundLines[] {
  const { skip = 0, maxResults, before = 0, after = 0, only } = options
  const lines: FoundLines[] = []
  searchRuns({
    ...search,
    reread: () => undefined,
    runs: runs.list,
    count: runs.count,
    control: runControl(runs.count, alone),
    room: skip + maxResults,
    before,
    after,
    onlyFiles: only !== undefined,
    flush: more => lines.push(more),
  })
  return lines
}

/** Takes the next free run, with those that are read together with it. Returns none if there is none, or no need. */
function takeRuns({ segments, runs, count, control, flag }: RunSearch): { from: number; to: number; end: number } {
  for (;;) {
    const from = Atomics.load(control, CONTROL.next)
    if (from >= count || Atomics.load(flag, 0) !== 0) return { from, to: from, end: 0 }
    const first = from * RUN_FIELDS
    const [place, start] = [runs[first] as number, runs[first + 1] as number]
    let [to, end] = [from + 1, runs[first + 2] as number]
    for (; segments[place]?.stored && to < count && end - start < TOGETHER_BYTES; to++) {
      const at = to * RUN_FIELDS
      const begin = runs[at + 1] as number
      if (runs[at] !== place || begin < end || begin - end > BETWEEN_BYTES) break
      end = runs[at + 2] as number
    }
    if (Atomics.compareExchange(control, CONTROL.next, from, to) === from) return { from, to, end }
  }
}

/** Reads a run, with its text up to the end of those that are read together with it. */
function readRun({ segments, runs, runWindow, reread }: RunSearch, run: number, end: number): ShownRun | undefined {
  const at = run * RUN_FIELDS
  const [from, to, fileOrFound] = [runs[at + 1] as number, runs[at + 2] as number, runs[at + 3] as number]
  const segment = segments[runs[at] as number] as Segment
  const isFound = fileOrFound < 0
  const file = isFound ? ~fileOrFound : fileOrFound
  if (hasText(segment)) {
    const part = runWindow.read(segment, from, end)
    return { segment, part, text: part.bytes.subarray(from - part.base, to - part.base), from, file, isFound }
  }
  const text = reread(segment, file, from, to)
  return text && { segment, part: undefined, text, from, file, isFound }
}

/** Reads parts of files again that memory did not suffice for. Rejects changed files. */
export function rereader(
  reader: FileReader,
  indexedFileOf: (segment: Segment, file: number) => { readonly path: string; readonly stamp: string } | undefined,
): RunSearch['reread'] {
  return (segment, file, from, to) => {
    const indexedFile = indexedFileOf(segment, file)
    const start = segment.files[file * FILE_FIELDS] as number
    return indexedFile && reader.readPart(indexedFile, from - start, to - start)
  }
}
