import { UNSURE } from '../pattern/syntax.ts'
import type { FoundLines } from './found-lines.ts'
import { isPlain } from './is-plain.ts'
import { knownPatterns } from './known-patterns.ts'
import type { AttachedSegment, SearchTask } from './messages.ts'
import { needsRipgrep } from './needs-ripgrep.ts'
import { findRuns } from './runs.ts'
import { searchAlone } from './search-runs.ts'
import { TextLost, type SegmentTexts } from './segment-texts.ts'
import { hasText, sharedArrays } from './segment.ts'

/** Larger searches run in other threads. This much takes a few milliseconds, nearly as long as handing it over. */
const MOST_BYTES = 4 * 1024 * 1024

/** Searches in the calling thread if the work is small and simple enough. Returns undefined otherwise. */
export function searchHere(texts: SegmentTexts) {
  const compilePattern = knownPatterns()
  const flag = sharedArrays.ints(1)
  const windows = { block: texts.window(), ends: texts.window() }
  const [runWindow, fileWindow] = [texts.window({ keepsRecent: true }), texts.window()]
  let last: readonly AttachedSegment[] | undefined

  return (
    task: SearchTask,
    attached: readonly AttachedSegment[],
    ranks: Float64Array,
  ): readonly FoundLines[] | undefined => {
    if (!isPlain(task.options) || attached.some(({ segment }) => !hasText(segment))) return undefined
    try {
      return findLines(task, attached, ranks)
    } catch (error) {
      if (error === UNSURE || error instanceof TextLost) return undefined
      throw error
    }
  }

  function findLines({ options, mask }: SearchTask, attached: readonly AttachedSegment[], ranks: Float64Array) {
    const pattern = compilePattern(options)
    if (!pattern?.isSteady || pattern.needs === 'anything' || needsRipgrep(attached, pattern, mask)) return undefined
    const segments = attached.map(({ segment }) => segment)
    if (attached !== last) texts.keep(segments)
    last = attached
    const runs = findRuns({ segments, pattern, mask, ranks, windows, mostBytes: MOST_BYTES })
    if (!runs) return undefined
    return searchAlone({ segments, pattern, runs, options, runWindow, fileWindow, flag })
  }
}
