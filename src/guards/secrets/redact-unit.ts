import { hexDigit, isIgnorable, noDigit } from './redact-alphabet.ts'

/** Packs a character and its length in bytes into one number, so that reading allocates nothing; 0 is none. */
export const unit = (code: number, length: number): number => code * 64 + length
export const codeOf = (read: number): number => Math.floor(read / 64)
export const lengthOf = (read: number): number => read % 64

/** A run continues beyond the available bytes. */
export const unknown = -1

/** Returns the character of the UTF-8 sequence at this place; 0 if there is no whole, valid one. */
export const readUtf8 = (bytes: Uint8Array, at: number, end: number): number => {
  const lead = bytes[at] ?? 0
  if (lead < 0x80) return at < end ? unit(lead, 1) : 0
  const length = utf8Length(lead)
  if (length === 0 || at + length > end) return 0
  let code = lead & (0x7f >> length)
  for (let next = 1; next < length; next += 1) {
    const byte = bytes[at + next] ?? 0
    if ((byte & 0xc0) !== 0x80) return 0
    code = (code << 6) | (byte & 0x3f)
  }
  return code <= 0x10ffff ? unit(code, length) : 0
}

const utf8Length = (lead: number): number => {
  if (lead < 0xc2 || lead > 0xf4) return 0
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
}

/**
 * Returns the length of the sequence that a single control character of C1 begins, itself as one byte, or `unknown`; 0
 * if it begins none.
 */
export const controlTail = (code: number, bytes: Uint8Array, next: number, end: number): number => {
  if (code === 0x9b) return withoutLead(controlSequence(bytes, next - 1, end))
  const begins = code === 0x90 || code === 0x98 || (code > 0x9c && code < 0xa0)
  return begins ? withoutLead(controlString(bytes, next - 1, end)) : 0
}

const withoutLead = (length: number): number => (length === unknown ? unknown : length - 1)

/** Returns the length of what follows an ESC up to the end of its sequence, or `unknown`. */
export const escapeTail = (bytes: Uint8Array, from: number, end: number): number => {
  if (from >= end) return unknown
  const first = bytes[from] ?? 0
  if (first === 0x5b) return controlSequence(bytes, from, end)
  if (first === 0x5d || first === 0x50 || first === 0x58 || first === 0x5e || first === 0x5f)
    return controlString(bytes, from, end)
  if (first >= 0x20 && first < 0x30) return from + 1 < end ? 2 : unknown
  return 1
}

const controlSequence = (bytes: Uint8Array, from: number, end: number): number => {
  for (let at = from + 1; at < from + 64; at += 1) {
    if (at >= end) return unknown
    const byte = bytes[at] ?? 0
    if (byte >= 0x40 && byte < 0x7f) return at + 1 - from
    if (byte < 0x20 || byte > 0x3f) return 1
  }
  return 1
}

const controlString = (bytes: Uint8Array, from: number, end: number): number => {
  for (let at = from + 1; at < from + 512; at += 1) {
    if (at >= end) return unknown
    if (bytes[at] === 0x07) return at + 1 - from
    if (bytes[at] === 0x1b) return at + 2 - from
  }
  return 1
}

/**
 * Returns the end of one invisible thing: an ANSI sequence, a zero-width character, a NUL byte, a line break. `read` is
 * the character at `from`, raw or escaped. Returns `from` if it is visible, `unknown` if the bytes end inside.
 */
export const skipUnseen = (bytes: Uint8Array, from: number, end: number, read: number): number => {
  if (read === 0) return from
  const code = codeOf(read)
  const next = from + lengthOf(read)
  if (code === 0x1b) {
    const tail = escapeTail(bytes, next, end)
    return tail === unknown ? unknown : next + tail
  }
  if (code >= 0x80 && code < 0xa0) {
    const tail = controlTail(code, bytes, next, end)
    return tail === unknown ? unknown : next + tail
  }
  return code === 0 || code === 0x0a || code === 0x0d || isIgnorable(code) ? next : from
}

/** Returns the number that a fixed count of hexadecimal digits means, or -1. */
export const readHex = (bytes: Uint8Array, at: number, digits: number, end: number): number => {
  if (at + digits > end) return -1
  let value = 0
  for (let next = at; next < at + digits; next += 1) {
    const digit = hexDigit[bytes[next] ?? 0] ?? noDigit
    if (digit === noDigit) return -1
    value = value * 16 + digit
  }
  return value
}
