import type { FileReader } from './read-file-text.ts'
import { lineWriter, type FoundLines } from './found-lines.ts'
import { RUN_FIELDS } from './pieces.ts'
import { FILE_FIELDS, type Segment } from './segment.ts'
import { runShower, type Shown } from './show-run.ts'

/** Positions of the next free run and of the first count of matches. */
const CONTROL = { next: 0, counts: 1 } as const

/** Creates the control block for threads that search the same runs; `alone` if there is only one. */
export const runControl = <Ints extends Int32Array>(count: number, ints: (length: number) => Ints): Ints =>
  ints(CONTROL.counts + count).fill(-1, CONTROL.counts)

export const alone = (length: number): Int32Array => new Int32Array(length)

/** Longest delay before matches are sent. A search that may never end is given up before its matches are of use. */
const FLUSH_MS = 25
/** Runs of held text, which end soon, searched between two looks at the clock. */
const STEADY_RUNS = 16

export interface RunSearch extends Shown {
  readonly segments: readonly Segment[]
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
  const { segments, runs, count, control, flag, flush } = search
  writer.clear()
  const shown = runShower(search, writer)
  const { isSteady } = search.pattern
  const runsAtOnce = isSteady ? STEADY_RUNS : 1
  let flushed = performance.now()
  let [known, sum, unflushed] = [0, 0, 0]
  const held = heldTexts()
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
    const text = held(segment)?.subarray(from, to) ?? search.reread(segment, file, from, to)
    if (text === undefined) {
      isSame = false
      Atomics.store(flag, 0, 1)
      break
    }
    writer.begin(run)
    const total = shown({ segment, text, from, file, isFound: fileOrFound < 0 }, Math.max(0, search.room - sum))
    Atomics.store(control, CONTROL.counts + run, total)
    if (segment.text && ++unflushed < runsAtOnce) continue
    unflushed = 0
    if (performance.now() - flushed > FLUSH_MS) {
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

/** Wraps the text of a segment in a buffer, and reuses the buffer of the previous request. */
function heldTexts(): (segment: Segment) => Buffer | undefined {
  let last: Segment | undefined
  let text: Buffer | undefined
  return segment => {
    if (segment === last) return text
    last = segment
    text = segment.text && Buffer.from(segment.text.buffer)
    return text
  }
}

/** Reads parts of files again that memory did not suffice for. Rejects changed files. */
export function rereader(
  reader: FileReader,
  known: (segment: Segment, file: number) => { readonly path: string; readonly stamp: string } | undefined,
): RunSearch['reread'] {
  return (segment, file, from, to) => {
    const expected = known(segment, file)
    const start = segment.files[file * FILE_FIELDS] as number
    return expected && reader.readPart(expected, from - start, to - start)
  }
}
