import type { CompiledPattern, Needs } from '../pattern/types.ts'
import type { FoundLines } from '../index/found-lines.ts'
import { RUN_FIELDS, type Runs } from '../index/pieces.ts'
import { keysOf, resolveNeeds, type Resolved } from '../index/resolve-needs.ts'
import { findRuns } from '../index/runs.ts'
import { searchAlone } from '../index/search-runs.ts'
import { segmentTexts } from '../index/segment-texts.ts'
import { bitUnits, sharedArrays, type Segment } from '../index/segment.ts'
import type { GrepOptions } from '../types.ts'
import type { StoredSegment } from './stored-segment.ts'

interface Searched {
  readonly stored: readonly StoredSegment[]
  /** Segments of files that were read just now. */
  readonly read: readonly Segment[]
  readonly pattern: CompiledPattern
  readonly mask: Uint8Array | undefined
  readonly ranks: Float64Array
  readonly options: Omit<GrepOptions, 'signal'>
}

/** Finds the lines in stored texts, of which only the parts that can hold some are read. */
export function searchTexts({ stored, read, pattern, mask, ranks, options }: Searched): readonly FoundLines[] {
  const { before = 0, after = 0 } = options
  const texts = segmentTexts()
  for (const one of stored) needLists(one, pattern.needs)
  const runs = findRuns({
    // Without text, so that nothing is looked at that was not read.
    segments: [...stored.map(({ segment }) => ({ ...segment, text: undefined })), ...read],
    pattern,
    mask,
    ranks,
    windows: { block: texts.window(), ends: texts.window() },
    wholeFiles: before + after > 0,
    readAlong: 0,
  })
  needTexts(stored, runs)
  return searchAlone({
    segments: [...stored.map(({ segment }) => segment), ...read],
    pattern,
    runs,
    options,
    runWindow: texts.window(),
    fileWindow: texts.window(),
    flag: sharedArrays.ints(1),
  })
}

/** Reads the lists of blocks that a pattern asks for. */
function needLists({ segment, needLists: need }: StoredSegment, needs: Needs): void {
  if (typeof needs === 'string') return
  const count = segment.counts[1] ?? 0
  const all = (resolved: Resolved): void => {
    const { list, bits, size, some, every } = resolved
    if (list !== undefined) need(list, list + size)
    if (bits !== undefined) need(bits, bits + bitUnits(count))
    for (const one of some ?? every ?? []) all(one)
  }
  all(resolveNeeds(keysOf(segment.postings, count), needs))
}

function needTexts(stored: readonly StoredSegment[], { list, count }: Runs): void {
  for (let at = 0; at < count * RUN_FIELDS; at += RUN_FIELDS)
    stored[list[at] as number]?.needText(list[at + 1] as number, list[at + 2] as number)
}
