import { commonBlocks, isSet, listOfBits, placeIn } from './block-lists.ts'
import type { Resolved } from './resolve-needs.ts'
import { bitUnits, BLOCK_FIELDS } from './segment.ts'

/** Sorted blocks, or all of them. */
export type Blocks = 'all' | readonly number[] | Uint16Array

/** A union that holds this share of the blocks no longer filters. */
const NO_FILTER = 0.7
/** Looking up one block in a list costs as much as this many steps through it. */
const LOOK_UP = 8
export const NONE: readonly number[] = []

export interface Evaluation {
  readonly lists: Uint16Array
  readonly count: number
  readonly ofFile: boolean
  readonly cuts: Int32Array | undefined
}

/** Returns the blocks that can hold the resolved needs. */
export function evaluateNeeds(needs: Resolved, how: Evaluation): Blocks {
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

/** Intersects the rarest first. Looks up the remaining blocks one by one once they are few. */
function intersection(every: readonly Resolved[], how: Evaluation): Blocks {
  let candidates: Blocks = 'all'
  for (const [at, needs] of every.entries()) {
    if (candidates !== 'all' && candidates.length === 0) return candidates
    if (candidates === 'all' && needs.bits !== undefined && !how.cuts && !how.ofFile) {
      // Needs that have only bits come last.
      const bits = every.slice(at).map(one => one.bits)
      if (bits.every(from => from !== undefined)) return commonBits(how, bits)
    }
    if (candidates !== 'all' && !how.cuts && (needs.bits !== undefined || candidates.length * LOOK_UP < needs.size)) {
      candidates = blocksWithNeed(how.lists, candidates, needs)
      continue
    }
    const more = evaluateNeeds(needs, how)
    if (how.ofFile) return more
    if (more === 'all') continue
    candidates =
      candidates === 'all'
        ? more
        : candidates.length < more.length
          ? commonBlocks(candidates, more)
          : commonBlocks(more, candidates)
  }
  return candidates
}

/** Keeps the blocks that may hold the need. */
function blocksWithNeed(lists: Uint16Array, blocks: readonly number[] | Uint16Array, needs: Resolved): Uint16Array {
  const { list, size, bits } = needs
  if (list !== undefined) return commonBlocks(blocks, lists.subarray(list, list + size))
  const result = new Uint16Array(blocks.length)
  let count = 0
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at] as number
    if (bits !== undefined ? isSet(lists, bits, block) : holds(lists, needs, block)) result[count++] = block
  }
  return result.subarray(0, count)
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

/** Reports whether a block can hold the need. */
export function holds(lists: Uint16Array, { list, size, bits, some, every }: Resolved, block: number): boolean {
  if (list !== undefined) return placeIn(lists, list, list + size, block) >= 0
  if (bits !== undefined) return isSet(lists, bits, block)
  if (some) {
    for (const one of some) if (holds(lists, one, block)) return true
    return false
  }
  if (every) for (const one of every) if (!holds(lists, one, block)) return false
  return true
}

function union(some: readonly Resolved[], how: Evaluation): Blocks {
  const { lists, count } = how
  const marks = new Uint16Array(bitUnits(count))
  for (const needs of some) {
    if (needs.bits !== undefined && !how.cuts) {
      for (let at = 0; at < marks.length; at++) marks[at] = (marks[at] as number) | (lists[needs.bits + at] as number)
      continue
    }
    const blocks = evaluateNeeds(needs, how)
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
  const firstBlocks = new Uint16Array(list.length)
  let count = 0
  for (let at = 0; at < list.length; at++) {
    const first = cuts[(list[at] as number) * BLOCK_FIELDS + 3] as number
    if (count === 0 || firstBlocks[count - 1] !== first) firstBlocks[count++] = first
  }
  return firstBlocks.subarray(0, count)
}
