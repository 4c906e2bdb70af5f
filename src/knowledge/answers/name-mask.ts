/**
 * Returns 32 bits for the last name of a path; each pair of characters sets some. A name that contains a text has all
 * its bits, so most names are excluded without comparing them.
 */
export const nameMask = (path: string): number => maskFrom(path, path.lastIndexOf('/') + 1)

/** Returns the bits of every name that contains all these texts. */
export function textsMask(texts: readonly string[]): number {
  let mask = 0
  for (const text of texts) mask |= maskFrom(text, 0)
  return mask
}

function maskFrom(text: string, start: number): number {
  let mask = 0
  for (let at = start + 1; at < text.length; at++)
    mask |= 1 << (Math.imul(text.charCodeAt(at - 1) * 31 + text.charCodeAt(at), SPREAD) >>> 27)
  return mask
}

/** A prime near 2 ** 32 divided by the golden ratio: it spreads similar pairs. */
const SPREAD = 0x9e3779b1
