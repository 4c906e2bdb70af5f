import type { Needs } from '../pattern/types.ts'
import { placeIn } from './block-lists.ts'
import { bitUnits, type Postings } from './segment.ts'

/** Needs with the lists of a segment in place of trigrams. Means all blocks if none of the four is set. */
export interface Resolved {
  /** Upper bound of the number of blocks. */
  readonly size: number
  /** Start of its list, which has `size` blocks. */
  readonly list?: number
  /** Start of its bits, one for each block; the number of set bits is unknown. */
  readonly bits?: number
  /** Rarest first. */
  readonly every?: readonly Resolved[]
  readonly some?: readonly Resolved[]
}

const NOWHERE: Resolved = { size: 0 }

/** Locations of a segment's lists. */
export interface Keys {
  readonly postings: Postings
  /** Start of the trigrams of each upper half, so that a lookup searches only a few; `UNKNOWN` until asked for. */
  readonly begins: Uint32Array
  /** Blocks of the segment, and the length of a list stored as bits. */
  readonly count: number
  readonly units: number
}

const LEAD_SHIFT = 12
const UNKNOWN = 0xff_ff_ff_ff
const tables = new WeakMap<Uint32Array, Uint32Array>()

export const keysOf = (postings: Postings, count: number): Keys => ({
  postings,
  begins: beginsOf(postings.keys),
  count,
  units: bitUnits(count),
})

/** Looks up every trigram once. */
export function resolveNeeds(keys: Keys, needs: Needs): Resolved {
  const { count } = keys
  if (needs === 'anything') return { size: count }
  if (needs === 'nothing') return NOWHERE
  if (typeof needs === 'number') return listOf(keys, needs)
  const parts: Resolved[] = []
  const isEvery = 'every' in needs
  for (const need of isEvery ? needs.every : needs.some) {
    const part = resolveNeeds(keys, need)
    const tellsNothing = isAll(part)
    if (isEvery ? part.size === 0 : tellsNothing) return part
    if (!tellsNothing && part.size > 0) parts.push(part)
  }
  const [only, second] = parts
  if (only === undefined) return isEvery ? { size: count } : NOWHERE
  if (second === undefined) return only
  if (isEvery) return { size: least(parts), every: parts.toSorted((one, other) => one.size - other.size) }
  return {
    size: Math.min(
      count,
      parts.reduce((sum, { size }) => sum + size, 0),
    ),
    some: parts,
  }
}

const least = (parts: readonly Resolved[]): number => parts.reduce((few, { size }) => Math.min(few, size), Infinity)

/** A key without a list is in too many blocks to have one. */
function listOf({ postings: { keys, offsets }, begins, count, units }: Keys, trigram: number): Resolved {
  const lead = trigram >>> LEAD_SHIFT
  const at = placeIn(keys, beginOf(keys, begins, lead), beginOf(keys, begins, lead + 1), trigram)
  if (at < 0) return NOWHERE
  const [from, to] = [offsets[at] as number, offsets[at + 1] as number]
  if (from === to) return { size: count }
  return to - from < units ? { size: to - from, list: from } : { size: count, bits: from }
}

function beginsOf(keys: Uint32Array): Uint32Array {
  const cachedBegins = tables.get(keys)
  if (cachedBegins) return cachedBegins
  const begins = new Uint32Array((1 << (24 - LEAD_SHIFT)) + 1).fill(UNKNOWN)
  tables.set(keys, begins)
  return begins
}

function beginOf(keys: Uint32Array, begins: Uint32Array, lead: number): number {
  const cachedBegin = begins[lead] as number
  if (cachedBegin !== UNKNOWN) return cachedBegin
  let [low, high] = [0, keys.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] as number) >>> LEAD_SHIFT < lead) low = middle + 1
    else high = middle
  }
  return (begins[lead] = low)
}

/** Reports whether the need is in so many blocks that it has no list. */
export const isAll = ({ size, list, bits, every, some }: Resolved): boolean =>
  size > 0 && list === undefined && bits === undefined && !every && !some
