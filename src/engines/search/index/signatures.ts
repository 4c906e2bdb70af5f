import type { Needs } from '../pattern/types.ts'
import { shared } from './segment.ts'

/** Of each trigram, together with those that fall on the same place, a bit for each block that holds it. */
export type Signatures = Uint32Array<SharedArrayBuffer>

const PLACES = 8_192
const placeOf = (trigram: number): number => Math.imul(trigram, 0x9e_37_79_b1) >>> 19

export const signaturesFor = (blocks: number): Signatures => shared.words(PLACES * Math.ceil(blocks / 32))

/** Notes the trigrams of a block, from one place to another. */
export function sign(signatures: Signatures, block: number, text: Uint8Array, from: number, to: number): void {
  const words = signatures.length / PLACES
  const [word, bit] = [block >>> 5, 1 << (block & 31)]
  let trigram = ((text[from] ?? 0) << 8) | (text[from + 1] ?? 0)
  for (let at = from + 2; at < to; at++) {
    trigram = ((trigram << 8) | (text[at] as number)) & 0xff_ff_ff
    const place = placeOf(trigram) * words + word
    signatures[place] = (signatures[place] as number) | bit
  }
}

/** For each of so many blocks whether it may hold what is needed, one bit each; undefined where all may. */
export function signedBlocks(
  signatures: Signatures,
  needs: Needs,
  count: number,
  ofFile: boolean,
): Uint32Array | undefined {
  const [words, used] = [signatures.length / PLACES, Math.ceil(count / 32)]
  return bitsOf(needs)

  function bitsOf(need: Needs): Uint32Array | undefined {
    if (need === 'anything') return undefined
    if (need === 'nothing') return new Uint32Array(used)
    if (typeof need === 'number') {
      const row = placeOf(need) * words
      return signatures.slice(row, row + used)
    }
    return 'every' in need ? allOf(need.every) : oneOf(need.some)
  }

  function allOf(every: readonly Needs[]): Uint32Array | undefined {
    let all: Uint32Array | undefined
    for (const need of every) {
      const bits = bitsOf(need)
      if (ofFile) return bits
      if (!all) all = bits
      else if (bits) for (let at = 0; at < used; at++) all[at] = (all[at] as number) & (bits[at] as number)
    }
    return all
  }

  function oneOf(some: readonly Needs[]): Uint32Array | undefined {
    const one = new Uint32Array(used)
    for (const need of some) {
      const bits = bitsOf(need)
      if (!bits) return undefined
      for (let at = 0; at < used; at++) one[at] = (one[at] as number) | (bits[at] as number)
    }
    return one
  }
}
