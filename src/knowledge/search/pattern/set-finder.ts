import type { ByteSet } from './set-sequence.ts'

/** Returns the next offset of the sequence in a text, or -1. */
type SetFinder = (text: Uint8Array, from: number) => number

/** Checks the byte at which the sequence would end, and steps as far as that byte allows. */
export function setFinder(sets: readonly ByteSet[]): SetFinder {
  const { length } = sets
  const isAt = new Uint8Array(length * 256)
  const steps = new Uint8Array(256).fill(length)
  for (const [place, set] of sets.entries()) {
    isAt.set(set, place * 256)
    if (place < length - 1) for (const [byte, isIn] of set.entries()) if (isIn === 1) steps[byte] = length - 1 - place
  }
  const lastSet = (length - 1) * 256

  return (text, from) => {
    const end = text.length
    for (let at = from + length - 1; at < end;) {
      const byte = text[at] as number
      if (isAt[lastSet + byte] === 1) {
        let place = length - 2
        while (place >= 0 && isAt[place * 256 + (text[at - length + 1 + place] as number)] === 1) place--
        if (place < 0) return at - length + 1
      }
      at += steps[byte] as number
    }
    return -1
  }
}
