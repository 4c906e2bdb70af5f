import type { Postings } from '../index/segment.ts'
import { bitUnits } from '../index/segment.ts'
import type { Needs } from '../pattern/types.ts'

/** A trigram in fewer blocks is not worth an entry. */
const LEAST = 1 / 32
const SHARES = 255

/**
 * Returns the trigrams that many blocks of the whole index hold, in order: each with its share of the blocks in the
 * lowest eight bits.
 */
export function commonTrigrams(
  segments: readonly { readonly postings: Postings | undefined; readonly counts: Int32Array }[],
): Uint32Array {
  const counts = new Map<number, number>()
  let all = 0
  for (const {
    postings,
    counts: [, blocks = 0],
  } of segments) {
    if (!postings) continue
    all += blocks
    const { keys, offsets, lists } = postings
    const [units, least] = [bitUnits(blocks), blocks * LEAST]
    for (let at = 0; at < keys.length; at++) {
      const [from, to] = [offsets[at] as number, offsets[at + 1] as number]
      // No list means too many blocks for one; a list of full length holds bits.
      const count = from === to ? blocks : to - from < units ? to - from : setBits(lists, from, to)
      if (count >= least) counts.set(keys[at] as number, (counts.get(keys[at] as number) ?? 0) + count)
    }
  }
  const common = [...counts].filter(([, count]) => count >= all * LEAST)
  return Uint32Array.from(common, ([key, count]) => key * 256 + Math.ceil((count / all) * SHARES)).toSorted()
}

function setBits(lists: Uint16Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at++) for (let unit = lists[at] as number; unit !== 0; unit &= unit - 1) count++
  return count
}

/** Returns about the largest share of the blocks that can hold the needs. */
export function shareOf(common: Uint32Array, needs: Needs): number {
  if (needs === 'anything') return 1
  if (needs === 'nothing') return 0
  if (typeof needs === 'number') return shareOfTrigram(common, needs)
  if ('every' in needs) return needs.every.reduce<number>((least, need) => Math.min(least, shareOf(common, need)), 1)
  return Math.min(
    1,
    needs.some.reduce<number>((sum, need) => sum + shareOf(common, need), 0),
  )
}

function shareOfTrigram(common: Uint32Array, trigram: number): number {
  let [low, high] = [0, common.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((common[middle] as number) >>> 8 < trigram) low = middle + 1
    else high = middle
  }
  const entry = common[low] ?? 0
  return entry >>> 8 === trigram ? (entry & 0xff) / SHARES : LEAST
}
