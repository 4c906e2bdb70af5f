import { byteSymbol, symbolOf } from './redact-alphabet.ts'
import { readEscape } from './redact-escape.ts'
import { gramSize } from './redact-pattern.ts'
import { hash } from './redact-patterns.ts'
import type { Patterns } from './redact-patterns.ts'
import { codeOf, controlTail, escapeTail, lengthOf, readUtf8, unit } from './redact-unit.ts'

/** Bytes that are neither a symbol nor ignored. */
const escape = 64
const sequence = 65
const high = 66
const erase = 67
const meaning = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x5c || byte === 0x25 || byte === 0x26) return escape
  if (byte === 0x1b) return sequence
  if (byte === 8) return erase
  return byte >= 0x80 ? high : (byteSymbol[byte] ?? 0)
})

const gramMask = 0x3fffffff

/**
 * Reads the bytes once, raw and with escapes resolved, and reports where the first symbols of a secret end, in any
 * encoding. The sieve has rare false hits, so a closer look decides. The readings are plain variables that no inner
 * function shares: that alone is worth a factor of two.
 */
export const sweep = (
  bytes: Uint8Array,
  end: number,
  { sieve, shift }: Patterns,
  onGram: (gram: number, at: number) => void,
): void => {
  let literal = 0
  let resolvedGram = 0
  // How many more symbols until both readings agree again.
  let symbolsLeft = 0
  // The resolved reading continues here: bytes before belong to an escape that it has read already.
  let resume = 0

  for (let at = 0; at < end; at += 1) {
    let symbol = meaning[bytes[at] ?? 0] ?? 0
    if (symbol === 0) continue
    let stop = at + 1
    if (symbol >= escape) {
      if (symbol === high) {
        const read = readUtf8(bytes, at, end)
        symbol = read === 0 ? 0 : symbolOf(codeOf(read))
        stop = at + Math.max(1, lengthOf(read))
        at = stop - 1
        if (symbol === 0) {
          const tail = controlTail(codeOf(read), bytes, stop, end)
          if (tail === 0) continue
          resume = stop + Math.max(0, tail)
          if (symbolsLeft === 0) resolvedGram = literal
          symbolsLeft = gramSize
          continue
        }
      } else if (symbol === erase) {
        literal >>>= 6
        resolvedGram >>>= 6
        continue
      } else if (at < resume) {
        continue
      } else {
        const read = symbol === escape ? readEscape(bytes, at, end) : unit(0x1b, 1)
        if (read === 0) continue
        stop = resume = at + lengthOf(read)
        symbol = symbolOf(codeOf(read))
        // The text inside a title or a link is text: only the resolved reading skips it.
        if (codeOf(read) === 0x1b) resume += Math.max(0, escapeTail(bytes, stop, end))
        if (symbolsLeft === 0) resolvedGram = literal
        symbolsLeft = gramSize
        if (symbol === 0) continue
        resolvedGram = ((resolvedGram << 6) | symbol) & gramMask
        if (sieve[hash(resolvedGram, shift)] === 1) onGram(resolvedGram, stop)
        continue
      }
    }
    literal = ((literal << 6) | symbol) & gramMask
    if (sieve[hash(literal, shift)] === 1) onGram(literal, stop)
    if (symbolsLeft === 0 || at < resume) continue
    resolvedGram = ((resolvedGram << 6) | symbol) & gramMask
    symbolsLeft -= 1
    if (sieve[hash(resolvedGram, shift)] === 1) onGram(resolvedGram, stop)
  }
}
