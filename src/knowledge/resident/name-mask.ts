/**
 * Thirty-two bits for the last name of a path, some of which each pair of characters sets. A name that holds a text has
 * all bits of it, so that most names are ruled out without a look at them.
 */
export const nameMask = (path: string): number => maskFrom(path, path.lastIndexOf('/') + 1)

/** The bits that a name which holds all these texts has at least. */
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

/** A prime near the golden part of 2 ** 32: near pairs fall far from each other. */
const SPREAD = 0x9e3779b1
