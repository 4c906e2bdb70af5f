import type { Needs } from '../pattern/types.ts'
import { commonBlocks, isSet } from './block-lists.ts'
import { evaluated, holds, NONE, type Blocks, type Evaluation } from './evaluate-needs.ts'
import { isAll, resolveNeeds, type Keys, type Resolved } from './resolve-needs.ts'
import { bitUnits } from './segment.ts'

/** What every needs is looked up first where it was rarest before: few blocks are left when the rest is looked up. */
const orders = new WeakMap<readonly Needs[], readonly Needs[]>()
/** What is left so far, in place: as many as a number of a block can tell apart. */
const left = new Uint16Array(65_536)

/** The blocks that can hold all that is needed, for needs that lie in one block. */
export function narrowBlocks(keys: Keys, every: readonly Needs[], how: Evaluation): Blocks {
  const order = orders.get(every) ?? rarestFirst(keys, every, how)
  /** How many are left; undefined as long as all are. */
  let count: number | undefined
  /** Bits that were not made a list of: those of two are one list in less time. */
  let bits: number | undefined
  for (const need of order) {
    const part = resolveNeeds(keys, need)
    if (part.size === 0) return NONE
    if (isAll(part)) continue
    if (count !== undefined) count = keep(how.lists, part, count)
    else if (bits !== undefined && part.bits !== undefined) count = keepBits(how, bits, part.bits)
    else if (part.bits !== undefined) ({ bits } = part)
    else {
      count = put(evaluated(part, how))
      if (count !== undefined && bits !== undefined) count = keep(how.lists, { size: how.count, bits }, count)
    }
    if (count === 0) return NONE
  }
  if (count === undefined && bits !== undefined) count = keepBits(how, bits, bits)
  return count === undefined ? 'all' : left.slice(0, count)
}

function rarestFirst(keys: Keys, every: readonly Needs[], how: Evaluation): readonly Needs[] {
  const sized = every.map(need => ({ need, size: sizeOf(resolveNeeds(keys, need), how) }))
  const order = sized.toSorted((one, other) => one.size - other.size).map(({ need }) => need)
  orders.set(every, order)
  return order
}

function sizeOf({ size, bits }: Resolved, how: Evaluation): number {
  return bits === undefined ? size : keepBits(how, bits, bits)
}

/** Undefined if it is all. */
function put(blocks: Blocks): number | undefined {
  if (blocks === 'all') return undefined
  left.set(blocks)
  return blocks.length
}

function keep(lists: Uint16Array, part: Resolved, count: number): number {
  const { list, size, bits } = part
  if (list !== undefined) return commonBlocks(left.subarray(0, count), lists.subarray(list, list + size), left).length
  let kept = 0
  for (let at = 0; at < count; at++) {
    const block = left[at] as number
    if (bits !== undefined ? isSet(lists, bits, block) : holds(lists, part, block)) left[kept++] = block
  }
  return kept
}

/** Makes a list of what both have. */
function keepBits({ lists, count }: Evaluation, one: number, other: number): number {
  const units = bitUnits(count)
  let kept = 0
  for (let at = 0; at < units; at++)
    for (let unit = (lists[one + at] as number) & (lists[other + at] as number); unit !== 0; unit &= unit - 1)
      left[kept++] = at * 16 + 31 - Math.clz32(unit & -unit)
  return kept
}
