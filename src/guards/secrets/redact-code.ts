import { base64Digit, hexDigit, noDigit } from './redact-alphabet.ts'
import { joinsAt } from './redact-join.ts'
import { readEscape } from './redact-escape.ts'
import type { Base64Pattern, NumberPattern } from './redact-pattern.ts'
import { more, none } from './redact-text.ts'
import { codeOf, lengthOf, readHex, readUtf8, skipUnseen, unknown } from './redact-unit.ts'

const longestGap = 80

/** Returns the end of the value's base64 that begins with the character at `from`, its padding included. */
export const matchBase64 = (
  bytes: Uint8Array,
  from: number,
  end: number,
  pattern: Base64Pattern,
  final: boolean,
): number => {
  const { cells, masks } = pattern
  let at = from
  for (let cell = 0; cell < cells.length; cell += 1) {
    if (cell > 0) at = skipGap(bytes, at, end)
    if (at === unknown || at >= end) return final ? partly(pattern, cell, end) : more
    const plain = base64Digit[bytes[at] ?? 0] ?? noDigit
    const read = plain === noDigit ? readEscape(bytes, at, end) : 0
    const digit = plain === noDigit ? digitOf(read) : plain
    if (digit === noDigit || (digit & (masks[cell] ?? 0)) !== cells[cell]) {
      if (cell > 0 && read === 0 && !final && end - at < 16 && isLead(bytes[at] ?? 0)) return more
      return partly(pattern, cell, at)
    }
    at += plain === noDigit ? lengthOf(read) : 1
  }
  return afterPadding(bytes, at, end)
}

const partly = (pattern: Base64Pattern, cell: number, at: number): number => (cell >= pattern.partial ? at : none)

const isLead = (byte: number): boolean => byte === 0x5c || byte === 0x25 || byte === 0x26

const digitOf = (read: number): number => {
  const code = codeOf(read)
  return read === 0 || code > 0x7f ? noDigit : (base64Digit[code] ?? noDigit)
}

/** Skips line breaks with their indentation, and invisible characters. */
const skipGap = (bytes: Uint8Array, from: number, end: number): number => {
  let at = from
  while (at < end && at - from < longestGap) {
    const byte = bytes[at] ?? 0
    if ((base64Digit[byte] ?? noDigit) !== noDigit) return at
    const [joinEnd] = byte === 0x22 || byte === 0x27 || byte === 0x60 ? joinsAt(bytes, at, end) : []
    if (joinEnd !== undefined) return joinEnd
    const read = isLead(byte) ? readEscape(bytes, at, end) : readUtf8(bytes, at, end)
    const code = codeOf(read)
    const next = code === 9 || code === 32 ? at + lengthOf(read) : skipUnseen(bytes, at, end, read)
    if (next === unknown || next === at) return next
    at = next
  }
  return at
}

const afterPadding = (bytes: Uint8Array, from: number, end: number): number => {
  let at = from
  for (let count = 0; count < 2; count += 1) {
    const read = isLead(bytes[at] ?? 0) ? readEscape(bytes, at, end) : 0
    if (at < end && bytes[at] === 0x3d) at += 1
    else if (read !== 0 && codeOf(read) === 0x3d) at += lengthOf(read)
  }
  return at
}

const between = new Uint8Array(256)
for (const byte of Buffer.from('\\xX%=,:;-_ \t\r\n"\'&#uU{}[]+.()<>')) between[byte] = 1

/**
 * Returns the end of the value written in hexadecimal: bare, or with `\x`, `%`, `0x`, `\u`, `:` and the like between.
 */
export const matchHex = (
  bytes: Uint8Array,
  from: number,
  end: number,
  pattern: NumberPattern,
  final: boolean,
): number => {
  let at = from
  for (let matchCount = 0; matchCount < pattern.bytes.length; matchCount += 1) {
    const next = matchCount === 0 ? at : skipBetween(bytes, at, end)
    if (next + 2 > end) return matchCount > 0 && !final ? more : partlyBytes(pattern, matchCount, at)
    if (readHex(bytes, next, 2, end) !== pattern.bytes[matchCount]) return partlyBytes(pattern, matchCount, at)
    at = next + 2
  }
  return at
}

const partlyBytes = (pattern: NumberPattern, known: number, at: number): number =>
  known >= pattern.partial ? at : none

const skipBetween = (bytes: Uint8Array, from: number, end: number): number => {
  let at = from
  while (at < end && at - from < 12) {
    const zero = bytes[at] === 0x30 && ((bytes[at + 1] ?? 0) | 32) === 0x78
    if (zero) at += 2
    else if (between[bytes[at] ?? 0] === 1 && (hexDigit[bytes[at] ?? 0] ?? noDigit) === noDigit) at += 1
    else break
  }
  return at
}

/** Returns the end of the value written as a list of decimal bytes, such as `[122,113,55]`. */
export const matchDecimal = (
  bytes: Uint8Array,
  from: number,
  end: number,
  pattern: NumberPattern,
  final: boolean,
): number => {
  let at = from
  for (let matchCount = 0; matchCount < pattern.bytes.length; matchCount += 1) {
    const first = matchCount === 0 ? at : skipBetween(bytes, at, end)
    if (matchCount > 0 && first === at && first < end) return none
    let next = first
    let value = 0
    while (next < end && isDigit(bytes[next] ?? 0) && next - first < 4) {
      value = value * 10 + (bytes[next] ?? 0) - 0x30
      next += 1
    }
    if (next >= end && !final) return matchCount > 0 ? more : none
    if (next === first || value !== pattern.bytes[matchCount]) return partlyBytes(pattern, matchCount, at)
    at = next
  }
  return at
}

const isDigit = (byte: number): boolean => byte > 47 && byte < 58
