import type { CompiledPattern } from '../pattern/types.ts'
import { candidateBlocks, type Blocks } from './candidate-blocks.ts'
import { BLOCK_FIELDS, FILE_FIELDS, KIND, shared, type Segment } from './segment.ts'

/** Whole numbers for each run: the segment by its place in the list, from where to where, and the file it begins in. */
export const RUN_FIELDS = 4
/** A run ends soon after so many bytes: between two the search can be ended or shared. */
const LONGEST_RUN = 262_144
const NEWLINE = 10

export interface Runs {
  readonly list: Int32Array<SharedArrayBuffer>
  readonly count: number
  readonly bytes: number
}

export interface RunsWanted {
  readonly segments: readonly Segment[]
  readonly pattern: Pick<CompiledPattern, 'needs' | 'byLine'>
  /** By the number of a path; all are wanted without it. */
  readonly mask: Uint8Array | undefined
  /** By the number of a path: their order. */
  readonly ranks: Float64Array
}

/** Stretches of text in which lines may be found, in the order of paths: each is one or more wanted files or parts of them. */
export function findRuns({ segments, pattern, mask, ranks }: RunsWanted): Runs {
  const pieces = new Pieces()
  for (const [place, segment] of segments.entries()) {
    const blocks = candidateBlocks(segment, pattern.needs, !pattern.byLine)
    const isWanted = (file: number): boolean => {
      if (segment.live[file] !== 1) return false
      return mask === undefined || mask[segment.pathIds[file] as number] === 1
    }
    // A text that is not in memory is read whole.
    if (pattern.byLine && segment.text) addBlocks(pieces, place, segment, blocks, isWanted, ranks)
    else addFiles(pieces, place, segment, blocks, isWanted, ranks)
  }
  return pieces.joined(segments, pattern.byLine)
}

function addBlocks(
  pieces: Pieces,
  place: number,
  segment: Segment,
  blocks: Blocks,
  isWanted: (file: number) => boolean,
  ranks: Float64Array,
): void {
  const [fileCount, blockCount] = [segment.counts[0] ?? 0, segment.counts[1] ?? 0]
  const count = blocks === 'all' ? blockCount : blocks.length
  const { files } = segment
  for (let at = 0; at < count; at++) {
    const block = blocks === 'all' ? at : (blocks[at] as number)
    const from = segment.blocks[block * BLOCK_FIELDS] as number
    const to = block + 1 < blockCount ? (segment.blocks[(block + 1) * BLOCK_FIELDS] as number) : 0x7f_ff_ff_ff
    for (let file = segment.blocks[block * BLOCK_FIELDS + 1] as number; file < fileCount; file++) {
      const start = files[file * FILE_FIELDS] as number
      if (start >= to) break
      const length = files[file * FILE_FIELDS + 1] as number
      if (length === 0 || !isWanted(file)) continue
      pieces.add(
        place,
        file,
        Math.max(start, from),
        Math.min(start + length, to),
        ranks[segment.pathIds[file] as number] as number,
      )
    }
  }
}

function addFiles(
  pieces: Pieces,
  place: number,
  segment: Segment,
  blocks: Blocks,
  isWanted: (file: number) => boolean,
  ranks: Float64Array,
): void {
  const { files, counts } = segment
  let last = -1
  const add = (file: number): void => {
    const length = files[file * FILE_FIELDS + 1] as number
    if (file <= last || length === 0 || !isWanted(file)) return
    last = file
    const start = files[file * FILE_FIELDS] as number
    pieces.add(place, file, start, start + length, ranks[segment.pathIds[file] as number] as number)
  }
  if (blocks === 'all') for (let file = 0; file < (counts[0] ?? 0); file++) add(file)
  else
    for (let at = 0; at < blocks.length; at++) {
      const block = blocks[at] as number
      const to = block + 1 < (counts[1] ?? 0) ? (segment.blocks[(block + 1) * BLOCK_FIELDS] as number) : 0x7f_ff_ff_ff
      for (let file = segment.blocks[block * BLOCK_FIELDS + 1] as number; file < (counts[0] ?? 0); file++) {
        if ((files[file * FILE_FIELDS] as number) >= to) break
        add(file)
      }
    }
}

/** Parts of files in the order in which they were found, brought into the order of paths. */
class Pieces {
  private fields = new Int32Array(256 * RUN_FIELDS)
  private ranks = new Float64Array(256)
  private count = 0
  private isSorted = true

  add(place: number, file: number, from: number, to: number, rank: number): void {
    const { count } = this
    if (count === this.ranks.length) this.grow()
    const at = count * RUN_FIELDS
    this.fields[at] = place
    this.fields[at + 1] = from
    this.fields[at + 2] = to
    this.fields[at + 3] = file
    if (count > 0 && rank < (this.ranks[count - 1] as number)) this.isSorted = false
    this.ranks[count] = rank
    this.count++
  }

  private grow(): void {
    const [fields, ranks] = [new Int32Array(this.fields.length * 2), new Float64Array(this.ranks.length * 2)]
    fields.set(this.fields)
    ranks.set(this.ranks)
    this.fields = fields
    this.ranks = ranks
  }

  joined(segments: readonly Segment[], mayJoin: boolean): Runs {
    const { count, fields, ranks } = this
    const order = this.isSorted ? undefined : Uint32Array.from({ length: count }, (_, at) => at)
    order?.sort((one, other) => (ranks[one] as number) - (ranks[other] as number) || one - other)
    const list = shared.ints(count * RUN_FIELDS)
    let runs = 0
    let bytes = 0
    let [place, start, end, isOpen] = [-1, 0, 0, false]
    for (let at = 0; at < count; at++) {
      const piece = (order ? (order[at] as number) : at) * RUN_FIELDS
      const [segment, from, to, file] = [
        fields[piece] as number,
        fields[piece + 1] as number,
        fields[piece + 2] as number,
        fields[piece + 3] as number,
      ]
      bytes += to - from
      const text = segments[segment]?.text
      const isOdd = segments[segment]?.files[file * FILE_FIELDS + 2] === KIND.oddEnd
      // Where a text did not end its last line, a line feed lies between.
      const border = text?.[end - 1] === NEWLINE ? end : end + 1
      const mayFollow = mayJoin && isOpen && text !== undefined && segment === place
      const follows = mayFollow && (from === border || from === end) && to - start <= LONGEST_RUN
      if (follows) {
        end = to
        list[(runs - 1) * RUN_FIELDS + 2] = to
      } else {
        ;[place, start, end] = [segment, from, to]
        list.set([segment, from, to, file], runs++ * RUN_FIELDS)
      }
      isOpen = !isOdd
    }
    return { list, count: runs, bytes }
  }
}
