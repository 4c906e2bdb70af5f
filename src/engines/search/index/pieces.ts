import { FILE_FIELDS, KIND, shared, type Segment } from './segment.ts'

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

/** Parts of files in the order in which they were found, brought into the order of paths. */
export class Pieces {
  private fields = new Int32Array(256 * RUN_FIELDS)
  private ranks = new Float64Array(256)
  private count = 0
  private held = 0
  private isSorted = true

  add(place: number, file: number, from: number, to: number, rank: number): void {
    const { count } = this
    this.held += to - from
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
    const order = this.isSorted ? undefined : Uint32Array.from({ length: count }, (_, at) => at)
    order?.sort((one, other) => (ranks[one] as number) - (ranks[other] as number) || one - other)
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
    return { list, count: runs, bytes: this.held }
  }
}
