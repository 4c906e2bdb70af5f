import type { Encoding } from './encoding.ts'
import { lineEnd } from './line-index.ts'

/**
 * Returns the last place at or before `at` where bytes may be cut: between two characters, and between two lines if
 * whole lines are wanted and possible. If the text continues, the two bytes after `at` must be present.
 */
export function cutPlace(bytes: Buffer, at: number, encoding: Encoding, wholeLines: boolean): number {
  const place = characterStart(bytes, at, encoding)
  const line = wholeLines ? lastLineEnd(bytes.subarray(0, place), encoding).place : 0
  return line > 0 ? line : place
}

/**
 * Returns the start of the character that contains a byte. If the text continues, the two bytes after it must be
 * present.
 */
export function characterStart(bytes: Buffer, at: number, encoding: Encoding): number {
  if (encoding === 'utf-8') {
    let place = at
    while (place > 0 && at - place < 3 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--
    return place
  }
  if (!encoding.startsWith('utf-16')) return at
  const even = at & ~1
  const high = bytes[encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0
  return high >= 0xd8 && high <= 0xdb ? even - 2 : even
}

/** Counts line ends and returns the place after the last one. */
export function lastLineEnd(bytes: Buffer, encoding: Encoding): { ends: number; place: number } {
  let ends = 0
  let place = 0
  for (let end = lineEnd(bytes, 0, encoding); end !== -1; end = lineEnd(bytes, end, encoding)) {
    ends++
    place = end
  }
  return { ends, place }
}
