const NEWLINES = 0x0a_0a_0a_0a
const LOW_BITS = 0x7f_7f_7f_7f
/** Each byte of the sum counts for itself, so it must not reach 256. */
const MOST_WORDS = 255

/** Line feeds from one place to another; four bytes at a time. */
export function countLines(bytes: Uint8Array, words: Int32Array, from: number, to: number): number {
  let lines = 0
  let at = from
  for (; at < to && (at & 3) !== 0; at++) if (bytes[at] === 10) lines++
  const last = to >> 2
  for (let word = at >> 2; word < last;) {
    const stop = Math.min(last, word + MOST_WORDS)
    let sum = 0
    for (; word < stop; word++) {
      const other = (words[word] as number) ^ NEWLINES
      sum = (sum + (~(((other & LOW_BITS) + LOW_BITS) | 0 | other | LOW_BITS) >>> 7)) | 0
    }
    lines += (sum & 0xff) + ((sum >>> 8) & 0xff) + ((sum >>> 16) & 0xff) + (sum >>> 24)
    at = word << 2
  }
  for (; at < to; at++) if (bytes[at] === 10) lines++
  return lines
}
