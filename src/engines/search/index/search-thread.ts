import { ToolError } from '../../../kernel/error.ts'
import { compilePattern } from '../pattern/compile-pattern.ts'
import type { CompiledPattern } from '../pattern/types.ts'
import type { AttachedSegment, FromSearcher, SearchEnd, SearchTask, SharedRuns, ToSearcher } from './messages.ts'
import type { FileReader } from './read-file-text.ts'
import { findRuns } from './runs.ts'
import { CONTROL, rereader, searchRuns } from './search-runs.ts'
import { FILE_FIELDS, KIND, shared } from './segment.ts'

/** From so many bytes on the search is shared with a thread that has nothing to do. */
const SHARED_BYTES = 1_500_000
const KEPT_PATTERNS = 32

/** One thread that searches: it owns nothing, so that it can be ended at any moment. */
export function searchThread(reader: FileReader, post: (message: FromSearcher) => void): (message: ToSearcher) => void {
  let attached: readonly AttachedSegment[] = []
  let ranks = new Float64Array(new SharedArrayBuffer(0))
  const patterns = new Map<string, CompiledPattern | undefined>()

  const compiled = (options: SearchTask['options']): CompiledPattern | undefined => {
    const { patterns: texts, regex, ignoreCase, word, invert, multiline } = options
    const key = JSON.stringify([texts, regex, ignoreCase, word, invert, multiline])
    if (patterns.has(key)) return patterns.get(key)
    if (patterns.size >= KEPT_PATTERNS) patterns.clear()
    const pattern = compilePattern(options)
    patterns.set(key, pattern)
    return pattern
  }

  const run = (
    id: number,
    task: SearchTask,
    given: SharedRuns | undefined,
    flag: Int32Array<SharedArrayBuffer>,
  ): SearchEnd => {
    const { options, mask } = task
    const pattern = compiled(options)
    if (!pattern) return { how: 'foreign' }
    const segments = attached.map(({ segment }) => segment)
    const isWanted = (pathId: number) => mask === undefined || mask[pathId] === 1
    if (!given && needsRipgrep(attached, pattern, isWanted)) return { how: 'foreign' }
    const runs =
      given ??
      shareable(findRuns({ segments, pattern, mask, ranks }), flag, found => post({ type: 'runs', id, runs: found }))
    const { skip = 0, maxResults, before = 0, after = 0, only } = options
    const isSame = searchRuns({
      segments,
      reread: rereader(reader, (segment, file) => attached.find(one => one.segment === segment)?.files?.[file]),
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
      attached = message.segments
      ranks = message.ranks
      return
    }
    const { id, task, flag } = message
    try {
      post({ type: 'done', id, end: run(id, task, message.type === 'help' ? message.runs : undefined, flag) })
    } catch (error) {
      post({ type: 'done', id, end: failure(error) })
    }
  }
}

function shareable(
  { list, count, bytes }: { list: Int32Array<SharedArrayBuffer>; count: number; bytes: number },
  flag: Int32Array,
  share: (runs: SharedRuns) => void,
): SharedRuns {
  const control = shared.ints(CONTROL.counts + count)
  control.fill(-1, CONTROL.counts)
  const runs = { list, count, control }
  if (bytes >= SHARED_BYTES && count > 1 && flag[0] === 0) share(runs)
  return runs
}

/** Files that ripgrep treats in a way of its own: too large to hold, or binary only to a search by lines. */
function needsRipgrep(
  attached: readonly AttachedSegment[],
  { byLine }: CompiledPattern,
  isWanted: (pathId: number) => boolean,
): boolean {
  return attached.some(({ segment: { counts, files, live, pathIds } }) => {
    if (counts[2] === 0) return false
    for (let file = 0; file < (counts[0] ?? 0); file++) {
      const kind = files[file * FILE_FIELDS + 2]
      const isOdd = kind === KIND.huge || (kind === KIND.lateBinary && !byLine)
      if (isOdd && live[file] === 1 && isWanted(pathIds[file] as number)) return true
    }
    return false
  })
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
