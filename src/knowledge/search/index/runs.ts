import type { CompiledPattern } from '../pattern/types.ts'
import { candidateBlocks, type Spread } from './candidate-blocks.ts'
import { eachStretch, groupEnd, type Near } from './each-stretch.ts'
import type { Blocks } from './evaluate-needs.ts'
import { Pieces, type Runs } from './pieces.ts'
import type { TextWindow } from './segment-texts.ts'
import { BLOCK_BYTES, BLOCK_FIELDS, FILE_FIELDS, hasText, NEAR_BYTES, type Segment } from './segment.ts'

interface RunsWanted {
  readonly segments: readonly Segment[]
  readonly pattern: Pick<CompiledPattern, 'needs' | 'byLine' | 'mostBytes' | 'isSteady' | 'isPlain' | 'find'>
  /** Wanted paths by number; undefined means all. */
  readonly mask: Uint8Array | undefined
  /** Ranks by path number. */
  readonly ranks: Float64Array
  /** Gives up beyond this many bytes to search. */
  readonly mostBytes?: number
  /** They read what decides where a run begins and ends. */
  readonly windows: { readonly block: TextWindow; readonly ends: TextWindow }
  /** Files without text are wanted whole, for lines around those that are found. */
  readonly wholeFiles?: boolean
  /** Bytes between two parts of such a file that are read rather than skipped. */
  readonly readAlong?: number
}

/**
 * Returns stretches of text that may contain lines, in path order. Each covers one or more wanted files or parts of
 * them. Returns undefined if there are too many.
 */
export function findRuns(wanted: RunsWanted & { readonly mostBytes?: undefined }): Runs
export function findRuns(wanted: RunsWanted): Runs | undefined
export function findRuns({
  segments,
  pattern,
  mask,
  ranks,
  windows,
  mostBytes = Infinity,
  wholeFiles = false,
  readAlong,
}: RunsWanted): Runs | undefined {
  const pieces = new Pieces()
  const spread: Spread = !pattern.byLine ? 'file' : pattern.mostBytes <= NEAR_BYTES ? 'near' : 'line'
  const blocksOf = (segment: Segment): Blocks => candidateBlocks(segment, pattern.needs, spread)
  const blocksBySegment = mostBytes < Infinity ? segments.map(blocksOf) : []
  if (mask === undefined && leastBytes(blocksBySegment, segments) > mostBytes) return undefined
  for (const [place, segment] of segments.entries()) {
    const blocks = blocksBySegment[place] ?? blocksOf(segment)
    const add: Add = (file, from, to, isFound) => {
      const pathId = segment.pathIds[file] as number
      if (segment.live[file] !== 1 || (mask !== undefined && mask[pathId] !== 1)) return
      pieces.add(place, isFound ? ~file : file, from, to, ranks[pathId] as number)
    }
    if (pattern.byLine && (hasText(segment) || !wholeFiles))
      addBlocks(segment, blocks, spread === 'near' && hasText(segment) ? { pattern, ...windows } : undefined, add)
    else addFiles(segment, blocks, spread, add)
    if (pieces.bytes() > mostBytes) return undefined
  }
  return pieces.joined(segments, pattern.byLine, readAlong)
}

/** Returns less than what the blocks hold, unless most of their files have changed: cheaper than to find their lines. */
function leastBytes(known: readonly Blocks[], segments: readonly Segment[]): number {
  const counts = known.map((blocks, at) => (blocks === 'all' ? (segments[at]?.counts[1] ?? 0) : blocks.length))
  return (counts.reduce((sum, count) => sum + count, 0) * BLOCK_BYTES) / 2
}

type Add = (file: number, from: number, to: number, isFound: boolean) => void

function addBlocks(segment: Segment, blocks: Blocks, near: Near | undefined, add: Add): void {
  const { files } = segment
  const fileCount = segment.counts[0] ?? 0
  eachStretch(segment, blocks, near, (from, to, first, isFound) => {
    for (let file = first; file < fileCount; file++) {
      const start = files[file * FILE_FIELDS] as number
      if (start >= to) break
      const end = start + (files[file * FILE_FIELDS + 1] as number)
      if (end > from && end > start) add(file, Math.max(start, from), Math.min(end, to), isFound)
    }
  })
}

function addFiles(segment: Segment, blocks: Blocks, spread: Spread, add: Add): void {
  const { files, counts } = segment
  const fileCount = counts[0] ?? 0
  let next = 0
  const addFile = (file: number): void => {
    next = file + 1
    const [start, length] = [files[file * FILE_FIELDS] as number, files[file * FILE_FIELDS + 1] as number]
    if (length > 0) add(file, start, start + length, false)
  }
  if (blocks === 'all') for (let file = 0; file < fileCount; file++) addFile(file)
  else
    for (let at = 0; at < blocks.length; at++) {
      const block = blocks[at] as number
      const to = groupEnd(segment, block, spread !== 'near')
      const first = segment.blocks[block * BLOCK_FIELDS + 1] as number
      for (let file = Math.max(next, first); file < fileCount; file++) {
        if ((files[file * FILE_FIELDS] as number) >= to) break
        addFile(file)
      }
    }
}
