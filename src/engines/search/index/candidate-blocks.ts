import type { Needs } from '../pattern/types.ts'
import { commonBlocks, isSet, listOfBits, placeIn } from './block-lists.ts'
import { isAll, resolveNeeds, type Resolved } from './resolve-needs.ts'
import { bitUnits, BLOCK_FIELDS, type Postings, type Segment } from './segment.ts'
import { signedBlocks, type Signatures } from './signatures.ts'

/** Blocks in order, or all that there are. */
export type Blocks = 'all' | readonly number[] | Uint16Array

/** A union of lists is no filter once it holds this part of the blocks. */
const NO_FILTER = 0.7
/** So many steps of a list are taken in the time of looking up one block in it. */
const LOOK_UP = 8
const NONE: readonly number[] = []

/**
 * Over what the needs may be spread: a stretch of a line that one block has whole, whole lines, or a whole file, of
 * which at least one block is found.
 */
export type Spread = 'near' | 'line' | 'file'

/**
 * The blocks of a segment that can hold what is needed; never fewer than those that do. Where lines were cut, the block
 * in which the first of them began stands for all that go on from it, unless needs are near.
 */
export function candidateBlocks(segment: Segment, needs: Needs, spread: Spread): Blocks {
  if (needs === 'anything') return 'all'
  if (needs === 'nothing') return NONE
  const { counts, blocks, postings, signatures } = segment
  const count = counts[1] ?? 0
  const ofFile = spread === 'file'
  const cuts = spread === 'line' && counts[3] !== 0 ? blocks : undefined
  if (postings) {
    const how = { lists: postings.lists, count, ofFile, cuts }
    if (typeof needs === 'object' && 'every' in needs && !ofFile) return narrowed(postings, needs.every, how)
    return evaluated(resolveNeeds(postings, needs, count), how)
  }
  return signatures ? signed(signatures, cuts, needs, count, ofFile) : 'all'
}

/** What every needs is looked up first where it was rarest before: the lists of most of it are never looked for then. */
const orders = new WeakMap<readonly Needs[], readonly Needs[]>()
/** So many are looked up at once, and the rarest of them taken first. */
const AT_ONCE = 2

function narrowed(postings: Postings, every: readonly Needs[], how: Evaluation): Blocks {
  const order = orders.get(every)
  let left: Blocks = 'all'
  const seen: { readonly need: Needs; readonly size: number }[] = []
  const needs = order ?? every
  for (let from = 0; from < needs.length;) {
    const to = order ? from + AT_ONCE : needs.length
    const parts: Resolved[] = []
    for (const need of needs.slice(from, to)) {
      const part = resolveNeeds(postings, need, how.count)
      if (part.size === 0) return NONE
      if (!order) seen.push({ need, size: sizeOf(part, how) })
      if (!isAll(part)) parts.push(part)
    }
    if (!order)
      orders.set(
        every,
        seen.toSorted((one, other) => one.size - other.size).map(({ need }) => need),
      )
    left = intersection(
      parts.toSorted((one, other) => one.size - other.size),
      how,
      left,
    )
    if (left !== 'all' && left.length === 0) return NONE
    from = to
  }
  return left
}

function sizeOf({ size, bits }: Resolved, { lists, count }: Evaluation): number {
  return bits === undefined ? size : listOfBits(lists.subarray(bits, bits + bitUnits(count))).length
}

interface Evaluation {
  readonly lists: Uint16Array
  readonly count: number
  readonly ofFile: boolean
  readonly cuts: Int32Array | undefined
}

function evaluated(needs: Resolved, how: Evaluation): Blocks {
  if (needs.size === 0) return NONE
  if (needs.list !== undefined) {
    const list = how.lists.subarray(needs.list, needs.list + needs.size)
    return how.cuts ? firsts(list, how.cuts) : list
  }
  if (needs.bits !== undefined) {
    const list = listOfBits(how.lists.subarray(needs.bits, needs.bits + bitUnits(how.count)))
    return how.cuts ? firsts(list, how.cuts) : list
  }
  if (needs.some) return union(needs.some, how)
  return needs.every ? intersection(needs.every, how) : 'all'
}

/** Rarest first; what is left of few blocks is looked up one by one. */
function intersection(every: readonly Resolved[], how: Evaluation, before: Blocks = 'all'): Blocks {
  let left: Blocks = before
  for (const [at, needs] of every.entries()) {
    if (left !== 'all' && left.length === 0) return left
    if (left === 'all' && needs.bits !== undefined && !how.cuts && !how.ofFile) {
      // What has bits only stands last.
      const bits = every.slice(at).map(one => one.bits)
      if (bits.every(from => from !== undefined)) return commonBits(how, bits)
    }
    if (left !== 'all' && !how.cuts && (needs.bits !== undefined || left.length * LOOK_UP < needs.size)) {
      left = kept(how.lists, left, needs)
      continue
    }
    const more = evaluated(needs, how)
    if (how.ofFile) return more
    if (more === 'all') continue
    left = left === 'all' ? more : left.length < more.length ? commonBlocks(left, more) : commonBlocks(more, left)
  }
  return left
}

/** Those that what is needed may be in. */
function kept(lists: Uint16Array, blocks: readonly number[] | Uint16Array, needs: Resolved): Uint16Array {
  const { list, size, bits } = needs
  if (list !== undefined) return commonBlocks(blocks, lists.subarray(list, list + size))
  const left = new Uint16Array(blocks.length)
  let count = 0
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at] as number
    if (bits !== undefined ? isSet(lists, bits, block) : holds(lists, needs, block)) left[count++] = block
  }
  return left.subarray(0, count)
}

function commonBits({ lists, count }: Evaluation, every: readonly number[]): Uint16Array {
  const units = bitUnits(count)
  const common = new Uint16Array(units).fill(0xff_ff)
  for (const from of every) meetBits(common, lists.subarray(from, from + units))
  return listOfBits(common)
}

function meetBits(common: Uint16Array, bits: Uint16Array): void {
  for (let at = 0; at < common.length; at++) common[at] = (common[at] as number) & (bits[at] as number)
}

function holds(lists: Uint16Array, { list, size, bits, some, every }: Resolved, block: number): boolean {
  if (list !== undefined) return placeIn(lists, list, list + size, block) >= 0
  if (bits !== undefined) return isSet(lists, bits, block)
  if (some) return some.some(one => holds(lists, one, block))
  return every ? every.every(one => holds(lists, one, block)) : true
}

function union(some: readonly Resolved[], how: Evaluation): Blocks {
  const { lists, count } = how
  const marks = new Uint16Array(bitUnits(count))
  for (const needs of some) {
    if (needs.bits !== undefined && !how.cuts) {
      for (let at = 0; at < marks.length; at++) marks[at] = (marks[at] as number) | (lists[needs.bits + at] as number)
      continue
    }
    const blocks = evaluated(needs, how)
    if (blocks === 'all') return 'all'
    for (let at = 0; at < blocks.length; at++) {
      const block = blocks[at] as number
      marks[block >>> 4] = (marks[block >>> 4] as number) | (1 << (block & 15))
    }
  }
  const all = listOfBits(marks)
  return count > 16 && all.length > count * NO_FILTER ? 'all' : all
}

function firsts(list: Uint16Array, cuts: Int32Array): Uint16Array {
  const made = new Uint16Array(list.length)
  let count = 0
  for (let at = 0; at < list.length; at++) {
    const first = cuts[(list[at] as number) * BLOCK_FIELDS + 3] as number
    if (count === 0 || made[count - 1] !== first) made[count++] = first
  }
  return made.subarray(0, count)
}

function signed(
  signatures: Signatures,
  cuts: Int32Array | undefined,
  needs: Needs,
  count: number,
  ofFile: boolean,
): readonly number[] {
  const bits = signedBlocks(signatures, needs, count, ofFile)
  const found: number[] = []
  for (let block = 0; block < count; block++) {
    // A whole word of blocks that hold nothing is passed at once.
    if (!cuts && bits && (block & 31) === 0 && bits[block >>> 5] === 0) {
      block += 31
      continue
    }
    if (cuts && cuts[block * BLOCK_FIELDS + 3] !== block) continue
    // What is needed may lie behind the cut.
    const isCut = cuts && block + 1 < count && cuts[(block + 1) * BLOCK_FIELDS + 3] === block
    if (isCut || !bits || ((bits[block >>> 5] as number) >>> (block & 31)) & 1) found.push(block)
  }
  return found
}
