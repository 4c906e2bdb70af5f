import type { Needs } from '../pattern/types.ts'
import { sharedArrays } from './segment.ts'

/**
 * One bit per trigram slot and block; several trigrams share a slot. One table covers 32 blocks, small enough to stay
 * in the nearest cache while a file is added.
 */
export type Signatures = Uint32Array<SharedArrayBuffer>

const PLACES = 8_192
const placeOf = (trigram: number): number => Math.imul(trigram, 0x9e_37_79_b1) >>> 19

export const signaturesFor = (blocks: number): Signatures => sharedArrays.words(PLACES * Math.ceil(blocks / 32))

/** Records the trigrams of a block between two offsets. */
export function sign(signatures: Signatures, block: number, text: Uint8Array, from: number, to: number): void {
  const [table, bit] = [(block >>> 5) * PLACES, 1 << (block & 31)]
  let trigram = ((text[from] ?? 0) << 8) | (text[from + 1] ?? 0)
  for (let at = from + 2; at < to; at++) {
    trigram = ((trigram << 8) | (text[at] as number)) & 0xff_ff_ff
    const place = table + placeOf(trigram)
    signatures[place] = (signatures[place] as number) | bit
  }
}

/** Returns one bit for each block that may hold the needs, or undefined if all may. */
export function signedBlocks(
  signatures: Signatures,
  needs: Needs,
  count: number,
  ofFile: boolean,
): Uint32Array | undefined {
  const neededBits = wantedBits(needs, ofFile)
  if (neededBits === 'anything') return undefined
  const bits = new Uint32Array(Math.ceil(count / 32))
  for (let at = 0; at < bits.length; at++) bits[at] = bitsIn(signatures, at * PLACES, neededBits)
  return bits
}

/** Needs as slots of their trigrams. */
type Wanted = 'anything' | number | { readonly every: readonly Wanted[] } | { readonly some: readonly Wanted[] }

/** A need anywhere in a file may spread over blocks, so only the first of several is checked. */
function wantedBits(needs: Needs, ofFile: boolean): Wanted {
  if (needs === 'anything') return 'anything'
  if (needs === 'nothing') return { some: [] }
  if (typeof needs === 'number') return placeOf(needs)
  if ('every' in needs) {
    const every = (ofFile ? needs.every.slice(0, 1) : needs.every).map(need => wantedBits(need, ofFile))
    const knownNeeds = every.filter(need => need !== 'anything')
    return knownNeeds.length === 0 ? 'anything' : { every: knownNeeds }
  }
  const some = needs.some.map(need => wantedBits(need, ofFile))
  return some.includes('anything') ? 'anything' : { some }
}

/** Returns the blocks of one table that match. */
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
