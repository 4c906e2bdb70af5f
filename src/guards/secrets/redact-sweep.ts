import { base64Digit, byteSymbol, hexDigit, noDigit, symbolOf } from './redact-alphabet.ts'
import { readEscape, readEscapeOnce } from './redact-escape.ts'
import { asBase64, asDecimal, asHex, asText, hash } from './redact-patterns.ts'
import type { Patterns } from './redact-patterns.ts'
import { codeOf, escapeTail, lengthOf, readUtf8, unknown } from './redact-unit.ts'

/** What each byte is to the sweep; everything not named here is passed over. */
const dull = 0
const word = 1
const escape = 2
const sequence = 3
const high = 4
const erase = 5
const sign = 6
const kindOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byteSymbol[byte] !== 0) return word
  if (byte === 0x5c || byte === 0x25 || byte === 0x26) return escape
  if (byte === 0x1b) return sequence
  if (byte >= 0x80) return high
  if (byte === 8) return erase
  return base64Digit[byte] === noDigit ? dull : sign
})

const gramMask = 0x3fffffff

/**
 * Reads the bytes once, in four ways at the same time (as they stand, with escapes resolved, as base64, as numbers), and
 * tells where the first symbols of a secret end. The sieve is hit by chance now and then: a closer look decides.
 */
export const sweep = (
  bytes: Uint8Array,
  end: number,
  { sieve, shift }: Patterns,
  found: (kind: number, gram: number, at: number) => void,
): void => {
  let literal = 0
  let resolved = 0
  let cells = 0
  let nibbles = 0
  let numbers = 0
  let number = 0
  // The resolved reading goes on here: bytes before belong to an escape that it has read already.
  let resume = 0

  const resolve = (symbol: number, digit: number, at: number): void => {
    if (symbol !== 0) {
      resolved = ((resolved << 6) | symbol) & gramMask
      if (((sieve[hash(resolved, shift)] ?? 0) & asText) !== 0) found(asText, resolved, at)
    }
    if (digit === noDigit) return
    cells = ((cells << 6) | digit) & gramMask
    if (((sieve[hash(cells, shift)] ?? 0) & asBase64) !== 0) found(asBase64, cells, at)
  }

  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at] ?? 0
    const kind = kindOf[byte] ?? dull
    if (kind === dull) continue
    if (kind === word) {
      const symbol = byteSymbol[byte] ?? 0
      literal = ((literal << 6) | symbol) & gramMask
      if (((sieve[hash(literal, shift)] ?? 0) & asText) !== 0) found(asText, literal, at + 1)
      if (at >= resume) {
        resolved = ((resolved << 6) | symbol) & gramMask
        if (resolved !== literal && ((sieve[hash(resolved, shift)] ?? 0) & asText) !== 0)
          found(asText, resolved, at + 1)
        cells = ((cells << 6) | (base64Digit[byte] ?? 0)) & gramMask
        if (((sieve[hash(cells, shift)] ?? 0) & asBase64) !== 0) found(asBase64, cells, at + 1)
      }
      const nibble = hexDigit[byte] ?? noDigit
      if (nibble === noDigit) continue
      // The zero of 0x is no digit of the value.
      if (byte !== 0x30 || ((bytes[at + 1] ?? 0) | 32) !== 0x78) {
        nibbles = (nibbles << 4) | nibble
        if (((sieve[hash(nibbles, shift)] ?? 0) & asHex) !== 0) found(asHex, nibbles, at + 1)
      }
      if (byte > 0x39) continue
      number = number * 10 + nibble
      const next = bytes[at + 1] ?? 0
      if (next > 0x2f && next < 0x3a && at + 1 < end) continue
      if (number < 256) {
        numbers = (numbers << 8) | number
        if (((sieve[hash(numbers, shift)] ?? 0) & asDecimal) !== 0) found(asDecimal, numbers, at + 1)
      }
      number = 0
      continue
    }
    if (kind === high) {
      const read = readUtf8(bytes, at, end)
      if (read === 0) continue
      const symbol = symbolOf(codeOf(read))
      at += lengthOf(read) - 1
      if (symbol === 0) continue
      literal = ((literal << 6) | symbol) & gramMask
      if (((sieve[hash(literal, shift)] ?? 0) & asText) !== 0) found(asText, literal, at + 1)
      if (at >= resume) resolve(symbol, noDigit, at + 1)
    } else if (at < resume) continue
    else if (kind === sign) resolve(0, base64Digit[byte] ?? noDigit, at + 1)
    else if (kind === escape) {
      const read = readEscape(bytes, at, end) || readEscapeOnce(bytes, at, end)
      if (read === 0) continue
      const code = codeOf(read)
      resume = at + lengthOf(read)
      if (code === 0x1b) resume += Math.max(0, escapeTail(bytes, resume, end))
      else resolve(symbolOf(code), code < 0x80 ? (base64Digit[code] ?? noDigit) : noDigit, resume)
    } else if (kind === sequence) {
      const tail = escapeTail(bytes, at + 1, end)
      // The text inside a title or a link is text: only the resolved reading passes over it.
      resume = tail === unknown ? at + 1 : at + 1 + tail
    } else {
      literal >>>= 6
      resolved >>>= 6
    }
  }
}
