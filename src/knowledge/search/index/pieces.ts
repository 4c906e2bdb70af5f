import { FILE_FIELDS, hasText, KIND, type Segment } from './segment.ts'

/**
 * Integers per run: index of its segment, start, end, and the file it begins in. The file's bits are inverted if the
 * run is one line that certainly matches.
 */
export const RUN_FIELDS = 4
/** A run ends soon after this many bytes. A search can be ended or shared between runs. */
const LONGEST_RUN = 262_144
/** A line that certainly matches is not searched; showing it costs about as much as searching this many bytes. */
const FOUND_BYTES = 1_000
/** Reading this much more of a file costs less than opening it again. */
const READ_ALONG = 65_536

export interface Runs {
  readonly list: Int32Array
  readonly count: number
  readonly bytes: number
}

/** Parts of files in the order found, sorted into path order. */
export class Pieces {
  private fields = new Int32Array(256 * RUN_FIELDS)
  private ranks = new Float64Array(256)
  private count = 0
  private held = 0
  private isSorted = true

  add(place: number, file: number, from: number, to: number, rank: number): void {
    const { count } = this
    this.held += file < 0 ? Math.min(FOUND_BYTES, to - from) : to - from
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

  /** Returns the bytes of all additions. */
  bytes(): number {
    return this.held
  }

  private grow(): void {
    const [fields, ranks] = [new Int32Array(this.fields.length * 2), new Float64Array(this.ranks.length * 2)]
    fields.set(this.fields)
    ranks.set(this.ranks)
    this.fields = fields
    this.ranks = ranks
  }

  /** Joins parts that follow each other; without a text in memory also those of a file that lie less far apart. */
  joined(segments: readonly Segment[], mayJoin: boolean, readAlong = READ_ALONG): Runs {
    const { count, fields, ranks } = this
    const order = this.isSorted ? undefined : orderOf(ranks.subarray(0, count))
    const list = new Int32Array(count * RUN_FIELDS)
    let runs = 0
    let [place, start, end, last, isOpen] = [-1, 0, 0, 0, false]
    for (let at = 0; at < count; at++) {
      const piece = (order ? (order[at] as number) : at) * RUN_FIELDS
      const from = fields[piece + 1] as number
      const to = fields[piece + 2] as number
      const file = fields[piece + 3] as number
      const isFound = file < 0
      const segment = segments[fields[piece] as number]
      const mayFollow = mayJoin && isOpen && !isFound && fields[piece] === place && to - start <= LONGEST_RUN
      const isNext =
        segment && hasText(segment)
          ? from === end || (from === end + 1 && isEndedBetween(segment, last, end))
          : file === list[(runs - 1) * RUN_FIELDS + 3] && from - end <= readAlong
      if (mayFollow && isNext) list[(runs - 1) * RUN_FIELDS + 2] = to
      else {
        place = fields[piece] as number
        start = from
        const run = runs++ * RUN_FIELDS
        list[run] = place
        list[run + 1] = from
        list[run + 2] = to
        list[run + 3] = file
      }
      end = to
      last = file
      isOpen = !isFound && segment?.files[file * FILE_FIELDS + 2] !== KIND.oddEnd
    }
    return { list, count: runs, bytes: this.held }
  }
}

/** Reports whether a line feed that is no part of a file lies here: it was put behind a text that did not end its line. */
function isEndedBetween({ files }: Segment, file: number, at: number): boolean {
  const field = file * FILE_FIELDS
  const isFileEnd = (files[field] as number) + (files[field + 1] as number) === at
  return isFileEnd && files[field + FILE_FIELDS] === at + 1
}

/** Returns the positions sorted by rank. The input consists of a few sorted runs, which are merged in pairs. */
function orderOf(ranks: Float64Array): Uint32Array {
  let [order, other] = [new Uint32Array(ranks.length), new Uint32Array(ranks.length)]
  let starts = [0]
  for (let at = 1; at < ranks.length; at++) {
    order[at] = at
    if ((ranks[at] as number) < (ranks[at - 1] as number)) starts.push(at)
  }
  while (starts.length > 1) {
    for (let at = 0; at < starts.length; at += 2) {
      const from = starts[at] as number
      const middle = starts[at + 1] ?? ranks.length
      merge(ranks, order, other, from, middle, starts[at + 2] ?? ranks.length)
    }
    starts = starts.filter((_, at) => at % 2 === 0)
    ;[order, other] = [other, order]
  }
  return order
}

/** Merges stably: equal entries keep their order. */
function merge(
  ranks: Float64Array,
  order: Uint32Array,
  into: Uint32Array,
  from: number,
  middle: number,
  to: number,
): void {
  let [one, two] = [from, middle]
  for (let at = from; at < to; at++) {
    const isOne = two >= to || (one < middle && rankAt(ranks, order, one) <= rankAt(ranks, order, two))
    into[at] = order[isOne ? one++ : two++] as number
  }
}

const rankAt = (ranks: Float64Array, order: Uint32Array, at: number): number => ranks[order[at] as number] as number
