import { bitUnits, BLOCK_FIELDS, knownEnd, sharedArrays, type Postings } from './segment.ts'

const TRIGRAMS = 1 << 24
/** A trigram in more than this share of the blocks is too common to be worth a list. */
const COMMON = 0.5
const FEW_BLOCKS = 16
/** Table entries that are no list offset: no list, or the flag that marks a bit set. */
const [NO_LIST, BITS] = [0xff_ff_ff_ff, 0x80_00_00_00]

/** Tables over all trigrams are large, so each thread creates them once. */
interface Tables {
  /** The last block that contained a trigram, counted from 1. */
  readonly seen: Uint32Array
  readonly counts: Uint32Array
}
let tables: Tables | undefined

/** Frees the memory of the tables until they are needed again. */
export function dropTables(): void {
  tables = undefined
}

/**
 * Finds the blocks that hold each trigram. A trigram belongs to the block in which it begins and the one in which it
 * ends.
 */
export function blockPostings(text: Uint8Array, blocks: Int32Array, blockCount: number, end: number): Postings {
  tables ??= { seen: new Uint32Array(TRIGRAMS), counts: new Uint32Array(TRIGRAMS) }
  const { seen, counts } = tables
  let pairs = new Uint32Array(Math.max(4096, blockCount * 3000))
  let pairCount = 0
  const pairEnds = new Uint32Array(blockCount)
  let keys = new Uint32Array(65_536)
  let keyCount = 0
  for (let block = 0; block < blockCount; block++) {
    const from = blocks[block * BLOCK_FIELDS] ?? 0
    const to = knownEnd(blocks, blockCount, block, end)
    if (pairCount + (to - from) > pairs.length) pairs = grown(pairs, pairCount + (to - from))
    const mark = block + 1
    let trigram = ((text[from] ?? 0) << 8) | (text[from + 1] ?? 0)
    for (let at = from + 2; at < to; at++) {
      trigram = ((trigram << 8) | (text[at] as number)) & 0xff_ff_ff
      if (seen[trigram] === mark) continue
      seen[trigram] = mark
      pairs[pairCount++] = trigram
    }
    pairEnds[block] = pairCount
  }
  for (let at = 0; at < pairCount; at++) {
    const trigram = pairs[at] as number
    const count = counts[trigram] as number
    counts[trigram] = count + 1
    if (count !== 0) continue
    if (keyCount === keys.length) keys = grown(keys, keyCount + 1)
    keys[keyCount++] = trigram
  }
  const sortedKeys = sharedArrays.words(keyCount)
  sortedKeys.set(keys.subarray(0, keyCount))
  sortedKeys.sort()
  const most = blockCount <= FEW_BLOCKS ? blockCount : blockCount * COMMON
  const units = bitUnits(blockCount)
  const offsets = sharedArrays.words(keyCount + 1)
  let total = 0
  for (let at = 0; at < keyCount; at++) {
    const trigram = sortedKeys[at] as number
    offsets[at] = total
    const count = counts[trigram] as number
    seen[trigram] = 0
    if (count > most) counts[trigram] = NO_LIST
    else {
      counts[trigram] = count < units ? total : total + BITS
      total += Math.min(count, units)
    }
  }
  offsets[keyCount] = total
  const lists = sharedArrays.halves(total)
  let pair = 0
  for (let block = 0; block < blockCount; block++) {
    const to = pairEnds[block] as number
    for (; pair < to; pair++) {
      const trigram = pairs[pair] as number
      const at = counts[trigram] as number
      if (at === NO_LIST) continue
      if (at >= BITS) {
        const unit = at - BITS + (block >>> 4)
        lists[unit] = (lists[unit] as number) | (1 << (block & 15))
        continue
      }
      lists[at] = block
      counts[trigram] = at + 1
    }
  }
  for (let at = 0; at < keyCount; at++) counts[sortedKeys[at] as number] = 0
  return { keys: sortedKeys, offsets, lists }
}

function grown(list: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, list.length * 2))
  larger.set(list)
  return larger
}
