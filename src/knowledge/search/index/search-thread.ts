import { ToolError } from '../../../kernel/error.ts'
import { UNSURE } from '../pattern/syntax.ts'
import { knownPatterns } from './known-patterns.ts'
import type { AttachedSegment, FromSearcher, SearchEnd, SearchTask, SharedRuns, ToSearcher } from './messages.ts'
import { needsRipgrep } from './needs-ripgrep.ts'
import { RUN_FIELDS, type Runs } from './pieces.ts'
import type { FileReader } from './read-file-text.ts'
import { findRuns } from './runs.ts'
import { alone, rereader, runControl, searchRuns, type RunSearch } from './search-runs.ts'
import { segmentTexts, TextLost } from './segment-texts.ts'
import { hasText, sharedArrays, type Segment } from './segment.ts'

/** From this size on, an idle thread shares the search. */
const SHARED_BYTES = 1_500_000
/** Reading more than this and matching it with a pattern that may backtrack takes longer than ripgrep takes for all. */
const MOST_READ = 32 * 1024 * 1024

/** Search thread. It owns nothing, so that it can be ended at any moment. */
export function searchThread(reader: FileReader, post: (message: FromSearcher) => void): (message: ToSearcher) => void {
  let attachedSegments: readonly AttachedSegment[] = []
  let ranks = new Float64Array(new SharedArrayBuffer(0))
  const compilePattern = knownPatterns()
  const texts = segmentTexts()
  const windows = { block: texts.window(), ends: texts.window() }
  const [runWindow, fileWindow] = [texts.window(), texts.window()]

  const run = (
    id: number,
    task: SearchTask,
    given: SharedRuns | undefined,
    flag: Int32Array<SharedArrayBuffer>,
  ): SearchEnd => {
    const { options, mask } = task
    const { skip = 0, maxResults, before = 0, after = 0, only } = options
    const pattern = compilePattern(options)
    if (!pattern) return { how: 'foreign' }
    const segments = attachedSegments.map(({ segment }) => segment)
    const begin = (): PreparedRuns | SearchEnd => {
      if (needsRipgrep(attachedSegments, pattern, mask)) return { how: 'foreign' }
      const runs = findRuns({ segments, pattern, mask, ranks, windows, wholeFiles: before + after > 0 })
      if (!pattern.isSteady && bytesToRead(runs, segments) > MOST_READ) return { how: 'slow' }
      const search = shareable(runs, flag, some => post({ type: 'runs', id, runs: some }))
      if (!pattern.isSteady) post({ type: 'unsteady', id })
      return search
    }
    const runs = given ?? begin()
    if ('how' in runs) return runs
    const isSame = searchRuns({
      segments,
      runWindow,
      fileWindow,
      reread: rereader(reader, (segment, file) => attachedSegments.find(one => one.segment === segment)?.files?.[file]),
      runs: runs.list,
      count: runs.count,
      control: runs.control,
      flag,
      pattern,
      room: skip + maxResults,
      before,
      after,
      onlyFiles: only !== undefined,
      flush: found => post({ type: 'found', id, found }),
    })
    return { how: isSame ? 'searched' : 'changed' }
  }

  return message => {
    if (message.type === 'attach') {
      attachedSegments = message.segments
      ranks = message.ranks
      texts.keep(attachedSegments.map(({ segment }) => segment))
      return
    }
    const { id, task, flag } = message
    try {
      post({ type: 'done', id, end: run(id, task, message.type === 'help' ? message.runs : undefined, flag) })
    } catch (error) {
      // Stops the other threads.
      Atomics.compareExchange(flag, 0, 0, 1)
      post({ type: 'done', id, end: endOf(error) })
    }
  }
}

interface PreparedRuns extends Pick<RunSearch, 'control' | 'count'> {
  readonly list: Int32Array
}

/** Prepares runs for a search; shared if another thread may help. */
function shareable({ list, count, bytes }: Runs, flag: Int32Array, share: (runs: SharedRuns) => void): PreparedRuns {
  if (bytes < SHARED_BYTES || count < 2 || flag[0] !== 0) return { list, count, control: runControl(count, alone) }
  const runs = { list: sharedArrays.ints(count * RUN_FIELDS), count, control: runControl(count, sharedArrays.ints) }
  runs.list.set(list.subarray(0, runs.list.length))
  share(runs)
  return runs
}

/** Returns the bytes of runs without text. */
function bytesToRead({ list, count }: Runs, segments: readonly Segment[]): number {
  const isText = segments.map(hasText)
  let bytes = 0
  for (let at = 0; at < count * RUN_FIELDS; at += RUN_FIELDS)
    if (!isText[list[at] as number]) bytes += (list[at + 2] as number) - (list[at + 1] as number)
  return bytes
}

function endOf(error: unknown): SearchEnd {
  if (error === UNSURE) return { how: 'foreign' }
  return error instanceof TextLost ? { how: 'changed' } : failure(error)
}

function failure(error: unknown): SearchEnd {
  if (!(error instanceof ToolError)) throw error
  const { code, message, hint, details } = error
  return {
    how: 'failed',
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(details !== undefined && { details }),
  }
}
