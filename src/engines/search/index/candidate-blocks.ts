import type { Needs } from '../pattern/types.ts'
import { signatureBit, SIGNATURE_BYTES, type Postings, type Segment } from './segment.ts'

/** Blocks in order, or all that there are. */
export type Blocks = 'all' | readonly number[] | Uint16Array

/** A list this much longer than what is left is dearer to read than the blocks that it could save. */
const TOO_LONG = 64
/** A union of lists is no filter once it holds this part of the blocks. */
const NO_FILTER = 0.7
const NONE: readonly number[] = []

/**
 * The blocks of a segment that can hold what is needed; never fewer than those that do. Where the needs are those of a
 * whole file, they may be spread over its blocks: each file that holds them has at least one of these blocks.
 */
export function candidateBlocks(segment: Segment, needs: Needs, ofFile: boolean): Blocks {
  if (needs === 'anything') return 'all'
  if (needs === 'nothing') return NONE
  const count = segment.counts[1] ?? 0
  if (segment.postings) return evaluated(segment.postings, needs, count, ofFile)
  return segment.signatures ? signed(segment.signatures, needs, count, ofFile) : 'all'
}

function evaluated(postings: Postings, needs: Needs, count: number, ofFile: boolean): Blocks {
  if (needs === 'anything') return 'all'
  if (needs === 'nothing') return NONE
  if (typeof needs === 'number') return listOf(postings, needs)
  if ('some' in needs) return union(postings, needs.some, count, ofFile)
  return intersection(postings, needs.every, count, ofFile)
}

/** Rarest first, and no further than it pays. */
function intersection(postings: Postings, every: readonly Needs[], count: number, ofFile: boolean): Blocks {
  const sized = every.map(need => ({ need, size: sizeOf(postings, need, count) }))
  sized.sort((one, other) => one.size - other.size)
  let left: Blocks = 'all'
  for (const { need, size } of sized) {
    if (size === 0) return NONE
    if (left !== 'all' && (left.length === 0 || size > left.length * TOO_LONG)) return left
    const more: Blocks = size >= count ? 'all' : evaluated(postings, need, count, ofFile)
    if (ofFile) return more
    if (more === 'all') continue
    left = left === 'all' ? more : common(left, more)
  }
  return left
}

function union(postings: Postings, some: readonly Needs[], count: number, ofFile: boolean): Blocks {
  const marks = new Uint8Array(count)
  let marked = 0
  for (const need of some) {
    const blocks = evaluated(postings, need, count, ofFile)
    if (blocks === 'all') return 'all'
    for (let at = 0; at < blocks.length; at++) {
      const block = blocks[at] as number
      if (marks[block] !== 0) continue
      marks[block] = 1
      marked++
    }
    if (count > 16 && marked > count * NO_FILTER) return 'all'
  }
  const all = new Uint16Array(marked)
  let filled = 0
  for (let block = 0; filled < marked; block++) if (marks[block] !== 0) all[filled++] = block
  return all
}

/** At most this many blocks, known without reading a list. */
function sizeOf(postings: Postings, need: Needs, count: number): number {
  if (need === 'anything') return count
  if (need === 'nothing') return 0
  if (typeof need === 'number') {
    const at = keyAt(postings.keys, need)
    if (at < 0) return 0
    return (postings.offsets[at + 1] as number) - (postings.offsets[at] as number) || count
  }
  if ('every' in need)
    return need.every.reduce<number>((least, one) => Math.min(least, sizeOf(postings, one, count)), count)
  return Math.min(
    count,
    need.some.reduce<number>((sum, one) => sum + sizeOf(postings, one, count), 0),
  )
}

/** A key without a list is in too many blocks to have one. */
function listOf({ keys, offsets, lists }: Postings, trigram: number): Blocks {
  const at = keyAt(keys, trigram)
  if (at < 0) return NONE
  const [from, to] = [offsets[at] as number, offsets[at + 1] as number]
  return from === to ? 'all' : lists.subarray(from, to)
}

function keyAt(keys: Uint32Array, trigram: number): number {
  let low = 0
  let high = keys.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const key = keys[middle] as number
    if (key === trigram) return middle
    if (key < trigram) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function common(few: readonly number[] | Uint16Array, many: readonly number[] | Uint16Array): number[] {
  const both: number[] = []
  let at = 0
  for (let one = 0; one < few.length; one++) {
    const block = few[one] as number
    while (at < many.length && (many[at] as number) < block) at++
    if (at < many.length && many[at] === block) both.push(block)
  }
  return both
}

function signed(signatures: Uint8Array, needs: Needs, count: number, ofFile: boolean): readonly number[] {
  const found: number[] = []
  for (let block = 0; block < count; block++)
    if (may(signatures, block * SIGNATURE_BYTES, needs, ofFile)) found.push(block)
  return found
}

function may(signatures: Uint8Array, at: number, needs: Needs, ofFile: boolean): boolean {
  if (needs === 'anything') return true
  if (needs === 'nothing') return false
  if (typeof needs === 'number') {
    const bit = signatureBit(needs)
    return ((signatures[at + (bit >>> 3)] as number) & (1 << (bit & 7))) !== 0
  }
  if ('every' in needs) {
    const [first] = needs.every
    if (ofFile) return first === undefined || may(signatures, at, first, ofFile)
    for (const need of needs.every) if (!may(signatures, at, need, ofFile)) return false
    return true
  }
  for (const need of needs.some) if (may(signatures, at, need, ofFile)) return true
  return false
}
