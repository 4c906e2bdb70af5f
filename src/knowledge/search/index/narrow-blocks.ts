import type { Needs } from '../pattern/types.ts'
import { commonBlocks, isSet } from './block-lists.ts'
import { evaluateNeeds, holds, NONE, type Blocks, type Evaluation } from './evaluate-needs.ts'
import { isAll, resolveNeeds, type Keys, type Resolved } from './resolve-needs.ts'
import { bitUnits } from './segment.ts'

/** Orders needs by rarity in earlier lookups, so that few blocks remain for the later ones. */
const orders = new WeakMap<readonly Needs[], readonly Needs[]>()
/** Remaining blocks, narrowed in place. Its size covers every block number. */
const scratch = new Uint16Array(65_536)

/** Returns the blocks that can hold all needs, for needs that lie in one block. */
export function narrowBlocks(keys: Keys, every: readonly Needs[], how: Evaluation): Blocks {
  const order = orders.get(every) ?? rarestFirst(keys, every, how)
  /** Number of remaining blocks; undefined while all remain. */
  let count: number | undefined
  /** Bits not yet converted to a list: combining two sets of bits first is faster. */
  let bits: number | undefined
  for (const need of order) {
    const part = resolveNeeds(keys, need)
    if (part.size === 0) return NONE
    if (isAll(part)) continue
    if (count !== undefined) count = keep(how.lists, part, count)
    else if (bits !== undefined && part.bits !== undefined) count = keepBits(how, bits, part.bits)
    else if (part.bits !== undefined) ({ bits } = part)
    else {
      count = put(evaluateNeeds(part, how))
      if (count !== undefined && bits !== undefined) count = keep(how.lists, { size: how.count, bits }, count)
    }
    if (count === 0) return NONE
  }
  if (count === undefined && bits !== undefined) count = keepBits(how, bits, bits)
  return count === undefined ? 'all' : scratch.slice(0, count)
}

function rarestFirst(keys: Keys, every: readonly Needs[], how: Evaluation): readonly Needs[] {
  const needsWithSize = every.map(need => ({ need, size: sizeOf(resolveNeeds(keys, need), how) }))
  const order = needsWithSize.toSorted((one, other) => one.size - other.size).map(({ need }) => need)
  orders.set(every, order)
  return order
}

function sizeOf({ size, bits }: Resolved, how: Evaluation): number {
  return bits === undefined ? size : keepBits(how, bits, bits)
}

/** Returns undefined for all blocks. */
function put(blocks: Blocks): number | undefined {
  if (blocks === 'all') return undefined
  scratch.set(blocks)
  return blocks.length
}

function keep(lists: Uint16Array, part: Resolved, count: number): number {
  const { list, size, bits } = part
  if (list !== undefined)
    return commonBlocks(scratch.subarray(0, count), lists.subarray(list, list + size), scratch).length
  let keptCount = 0
  for (let at = 0; at < count; at++) {
    const block = scratch[at] as number
    if (bits !== undefined ? isSet(lists, bits, block) : holds(lists, part, block)) scratch[keptCount++] = block
  }
  return keptCount
}

/** Lists the blocks that both contain. */
function keepBits({ lists, count }: Evaluation, one: number, other: number): number {
  const units = bitUnits(count)
  let blockCount = 0
  for (let at = 0; at < units; at++)
    for (let unit = (lists[one + at] as number) & (lists[other + at] as number); unit !== 0; unit &= unit - 1)
      scratch[blockCount++] = at * 16 + 31 - Math.clz32(unit & -unit)
  return blockCount
}
