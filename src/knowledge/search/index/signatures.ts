import type { Needs } from '../pattern/types.ts'
import { shared } from './segment.ts'

/**
 * Of each trigram, together with those that fall on the same place, a bit for each block that holds it: one table for
 * every 32 blocks, small enough to stay in the nearest cache while a file is put in.
 */
export type Signatures = Uint32Array<SharedArrayBuffer>

const PLACES = 8_192
const placeOf = (trigram: number): number => Math.imul(trigram, 0x9e_37_79_b1) >>> 19

export const signaturesFor = (blocks: number): Signatures => shared.words(PLACES * Math.ceil(blocks / 32))

/** Notes the trigrams of a block, from one place to another. */
export function sign(signatures: Signatures, block: number, text: Uint8Array, from: number, to: number): void {
  const [table, bit] = [(block >>> 5) * PLACES, 1 << (block & 31)]
  let trigram = ((text[from] ?? 0) << 8) | (text[from + 1] ?? 0)
  for (let at = from + 2; at < to; at++) {
    trigram = ((trigram << 8) | (text[at] as number)) & 0xff_ff_ff
    const place = table + placeOf(trigram)
    signatures[place] = (signatures[place] as number) | bit
  }
}

/** For each of so many blocks whether it may hold what is needed, one bit each; undefined if all may. */
export function signedBlocks(
  signatures: Signatures,
  needs: Needs,
  count: number,
  ofFile: boolean,
): Uint32Array | undefined {
  const wanted = wantedBits(needs, ofFile)
  if (wanted === 'anything') return undefined
  const bits = new Uint32Array(Math.ceil(count / 32))
  for (let at = 0; at < bits.length; at++) bits[at] = bitsIn(signatures, at * PLACES, wanted)
  return bits
}

/** Needs by the places of their trigrams. */
type Wanted = 'anything' | number | { readonly every: readonly Wanted[] } | { readonly some: readonly Wanted[] }

/** What is needed somewhere in a file need not be in one block: of it the first stands for all. */
function wantedBits(needs: Needs, ofFile: boolean): Wanted {
  if (needs === 'anything') return 'anything'
  if (needs === 'nothing') return { some: [] }
  if (typeof needs === 'number') return placeOf(needs)
  if ('every' in needs) {
    const every = (ofFile ? needs.every.slice(0, 1) : needs.every).map(need => wantedBits(need, ofFile))
    const known = every.filter(need => need !== 'anything')
    return known.length === 0 ? 'anything' : { every: known }
  }
  const some = needs.some.map(need => wantedBits(need, ofFile))
  return some.includes('anything') ? 'anything' : { some }
}

/** The blocks of one table that have it. */
function bitsIn(signatures: Signatures, table: number, wanted: Wanted): number {
  if (wanted === 'anything') return ALL
  if (typeof wanted === 'number') return signatures[table + wanted] as number
  if ('every' in wanted) {
    let bits = ALL
    for (const one of wanted.every) if ((bits &= bitsIn(signatures, table, one)) === 0) return 0
    return bits
  }
  let bits = 0
  for (const one of wanted.some) bits |= bitsIn(signatures, table, one)
  return bits
}

const ALL = -1
