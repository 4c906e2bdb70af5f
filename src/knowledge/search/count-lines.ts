const NEWLINES = 0x0a_0a_0a_0a
const LOW_BITS = 0x7f_7f_7f_7f
/** Each byte of the sum is a separate counter, so it must stay below 256. */
const MOST_WORDS = 252

/** Counts line feeds between two offsets, four words of four bytes at a time. */
export function countLines(bytes: Uint8Array, words: Int32Array, from: number, to: number): number {
  let lines = 0
  let at = from
  for (; at < to && (at & 3) !== 0; at++) if (bytes[at] === 10) lines++
  const last = to >> 2
  for (let word = at >> 2; word < last;) {
    const stop = Math.min(last, word + MOST_WORDS)
    let sum = 0
    for (; word + 4 <= stop; word += 4)
      sum =
        (sum +
          marks(words[word] as number) +
          marks(words[word + 1] as number) +
          marks(words[word + 2] as number) +
          marks(words[word + 3] as number)) |
        0
    for (; word < stop; word++) sum = (sum + marks(words[word] as number)) | 0
    lines += (sum & 0xff) + ((sum >>> 8) & 0xff) + ((sum >>> 16) & 0xff) + (sum >>> 24)
    at = word << 2
  }
  for (; at < to; at++) if (bytes[at] === 10) lines++
  return lines
}

/** Sets the lowest bit of each byte that is a line feed. */
function marks(word: number): number {
  const other = word ^ NEWLINES
  return ~(((other & LOW_BITS) + LOW_BITS) | other | LOW_BITS) >>> 7
}
