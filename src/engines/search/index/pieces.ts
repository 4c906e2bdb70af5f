import { FILE_FIELDS, KIND, shared, type Segment } from './segment.ts'

/**
 * Whole numbers for each run: the segment by its place in the list, from where to where, and the file it begins in, its
 * bits turned round where the run is one line that is surely found.
 */
export const RUN_FIELDS = 4
/** A run ends soon after so many bytes: between two the search can be ended or shared. */
const LONGEST_RUN = 262_144
/** A line that is surely found is not searched; to show it takes about as long as to search so many bytes. */
const FOUND_BYTES = 1_000
const NEWLINE = 10

export interface Runs {
  readonly list: Int32Array<SharedArrayBuffer>
  readonly count: number
  readonly bytes: number
}

/** Parts of files in the order in which they were found, brought into the order of paths. */
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

  /** Bytes of all that was added. */
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

  joined(segments: readonly Segment[], mayJoin: boolean): Runs {
    const { count, fields, ranks } = this
    const order = this.isSorted ? undefined : orderOf(ranks.subarray(0, count))
    const list = shared.ints(count * RUN_FIELDS)
    let runs = 0
    let [place, start, end, isOpen] = [-1, 0, 0, false]
    for (let at = 0; at < count; at++) {
      const piece = (order ? (order[at] as number) : at) * RUN_FIELDS
      const [segment, from, to, file] = [
        fields[piece] as number,
        fields[piece + 1] as number,
        fields[piece + 2] as number,
        fields[piece + 3] as number,
      ]
      const text = segments[segment]?.text
      const isFound = file < 0
      const isOdd = segments[segment]?.files[file * FILE_FIELDS + 2] === KIND.oddEnd
      // Where a text did not end its last line, a line feed lies between.
      const border = text?.[end - 1] === NEWLINE ? end : end + 1
      const mayFollow = mayJoin && isOpen && !isFound && text !== undefined && segment === place
      const follows = mayFollow && (from === border || from === end) && to - start <= LONGEST_RUN
      if (follows) {
        end = to
        list[(runs - 1) * RUN_FIELDS + 2] = to
      } else {
        ;[place, start, end] = [segment, from, to]
        const at4 = runs++ * RUN_FIELDS
        list[at4] = segment
        list[at4 + 1] = from
        list[at4 + 2] = to
        list[at4 + 3] = file
      }
      isOpen = !isOdd && !isFound
    }
    return { list, count: runs, bytes: this.held }
  }
}

/** The places of these by their size. Most come in a few stretches that are in order and only have to be put so. */
function orderOf(ranks: Float64Array): Uint32Array {
  const order = new Uint32Array(ranks.length)
  const starts = [0]
  for (let at = 1; at < ranks.length; at++) if ((ranks[at] as number) < (ranks[at - 1] as number)) starts.push(at)
  const stretches = starts.map((from, at) => ({ from, to: starts[at + 1] ?? ranks.length }))
  stretches.sort((one, other) => (ranks[one.from] as number) - (ranks[other.from] as number) || one.from - other.from)
  let [filled, last, isApart] = [0, -Infinity, true]
  for (const { from, to } of stretches) {
    isApart &&= (ranks[from] as number) > last
    last = ranks[to - 1] as number
    for (let at = from; at < to; at++) order[filled++] = at
  }
  if (isApart) return order
  return order.toSorted((one, other) => (ranks[one] as number) - (ranks[other] as number) || one - other)
}
