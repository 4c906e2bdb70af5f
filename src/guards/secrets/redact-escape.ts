import { hexDigit, isWord, noDigit } from './redact-alphabet.ts'
import { readHex, unit } from './redact-unit.ts'

type Step = (bytes: Uint8Array, at: number, end: number) => number

/**
 * Returns the character that an escape at this place means, read through every level of quoting: `%2540` and `%40`,
 * `\"` and `\\\"`, `&amp;quot;` and `&quot;`. Returns 0 if there is none.
 */
export const readEscape: Step = (bytes, at, end) => {
  const lead = bytes[at]
  if (lead === 0x5c) return readBackslash(bytes, at, end)
  if (lead === 0x25) return readPercent(bytes, at, end, true)
  if (lead === 0x26) return readEntity(bytes, at, end, true) || readEscapeOnce(bytes, at, end)
  return 0
}

/** The same through one level only: `%25` is a percent sign, `&amp;` an ampersand. */
export const readEscapeOnce: Step = (bytes, at, end) => {
  if (bytes[at] === 0x25 && isEncodedPercent(bytes, at + 1, end)) return readPercent(bytes, at, end, false)
  if (bytes[at] === 0x26 && isNested(bytes, at + 1)) return readEntity(bytes, at, end, false)
  return 0
}

const readPercent = (bytes: Uint8Array, at: number, end: number, deep: boolean): number => {
  let from = at + 1
  if (deep) while (isEncodedPercent(bytes, from, end) && from - at < 9) from += 2
  if (bytes[from] === 0x75) {
    const code = readHex(bytes, from + 1, 4, end)
    return code < 0 ? 0 : unit(code, from + 5 - at)
  }
  const byte = readHex(bytes, from, 2, end)
  return byte < 0 ? 0 : joinBytes(bytes, at, from + 2, end, byte, 3, percentStep)
}

const percentStep: Step = (bytes, at, end) => (bytes[at] === 0x25 ? readHex(bytes, at + 1, 2, end) : -1)

const isEncodedPercent = (bytes: Uint8Array, at: number, end: number): boolean =>
  bytes[at] === 0x32 && bytes[at + 1] === 0x35 && (readHex(bytes, at + 2, 2, end) >= 0 || bytes[at + 2] === 0x75)

const controlCodes: Readonly<Record<number, number>> = {
  0x6e: 10,
  0x72: 13,
  0x74: 9,
  0x62: 8,
  0x66: 12,
  0x76: 11,
  0x61: 7,
  0x65: 27,
}

const readBackslash: Step = (bytes, at, end) => {
  let from = at + 1
  while (bytes[from] === 0x5c && from - at < 16) from += 1
  if (from >= end) return 0
  const kind = bytes[from] ?? 0
  if (kind === 0x75) return readUnicode(bytes, at, from, end)
  if (kind === 0x55) {
    const code = readHex(bytes, from + 1, 8, end)
    return code < 0 || code > 0x10ffff ? 0 : unit(code, from + 9 - at)
  }
  if (kind === 0x78) {
    const byte = readHex(bytes, from + 1, 2, end)
    return byte < 0 ? 0 : joinBytes(bytes, at, from + 3, end, byte, 4, hexStep)
  }
  if (isOctal(kind)) return readOctal(bytes, at, from, end)
  return unit(controlCodes[kind] ?? kind, from + 1 - at)
}

const readUnicode = (bytes: Uint8Array, at: number, from: number, end: number): number => {
  if (bytes[from + 1] === 0x7b) return readBraced(bytes, at, from + 2, end)
  const code = readHex(bytes, from + 1, 4, end)
  if (code < 0) return 0
  const second = from + 5
  if (code < 0xd800 || code > 0xdbff) return unit(code, second - at)
  let next = second
  while (bytes[next] === 0x5c && next - second < 16) next += 1
  const low = bytes[next] === 0x75 && next > second ? readHex(bytes, next + 1, 4, end) : -1
  if (low < 0xdc00 || low > 0xdfff) return unit(code, second - at)
  return unit(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00), next + 5 - at)
}

const readBraced = (bytes: Uint8Array, at: number, from: number, end: number): number => {
  let next = from
  while (next < from + 6 && (hexDigit[bytes[next] ?? 0] ?? noDigit) !== noDigit) next += 1
  const code = next > from ? readHex(bytes, from, next - from, end) : -1
  return bytes[next] === 0x7d && code >= 0 && code <= 0x10ffff ? unit(code, next + 1 - at) : 0
}

const hexStep: Step = (bytes, at, end) =>
  bytes[at] === 0x5c && bytes[at + 1] === 0x78 ? readHex(bytes, at + 2, 2, end) : -1

const isOctal = (byte: number): boolean => byte >= 0x30 && byte < 0x38

const readOctal = (bytes: Uint8Array, at: number, from: number, end: number): number => {
  let next = from
  let value = 0
  while (next < from + 3 && next < end && isOctal(bytes[next] ?? 0)) {
    value = value * 8 + (bytes[next] ?? 0) - 0x30
    next += 1
  }
  return joinBytes(bytes, at, next, end, value & 255, 4, octalStep)
}

const octalStep: Step = (bytes, at, end) => {
  if (bytes[at] !== 0x5c || at + 4 > end) return -1
  let value = 0
  for (let next = at + 1; next < at + 4; next += 1) {
    const byte = bytes[next] ?? 0
    if (!isOctal(byte)) return -1
    value = value * 8 + byte - 0x30
  }
  return value
}

/** Joins escaped bytes that together write one UTF-8 character; a single one is itself. */
const joinBytes = (
  bytes: Uint8Array,
  at: number,
  next: number,
  end: number,
  first: number,
  width: number,
  step: Step,
): number => {
  if (first < 0xc2 || first > 0xf4) return unit(first, next - at)
  const following = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3
  let code = first & (0x3f >> following)
  for (let readCount = 0; readCount < following; readCount += 1) {
    const byte = step(bytes, next + readCount * width, end)
    if (byte < 0 || (byte & 0xc0) !== 0x80) return unit(first, next - at)
    code = (code << 6) | (byte & 0x3f)
  }
  return code > 0x10ffff ? unit(first, next - at) : unit(code, next - at + following * width)
}

/** Packs the letters of a name into one number, so that looking it up allocates nothing. */
const packName = (name: string): number => Array.from(name).reduce((sum, letter) => sum * 128 + letter.charCodeAt(0), 0)

const entities = new Map(
  Object.entries({ quot: 34, amp: 38, lt: 60, gt: 62, apos: 39, nbsp: 160, szlig: 223, Tab: 9, sol: 47, num: 35 }).map(
    ([name, code]) => [packName(name), code],
  ),
)
const marks = { grave: 0x300, acute: 0x301, circ: 0x302, tilde: 0x303, uml: 0x308, ring: 0x30a, cedil: 0x327 }
for (const [name, mark] of Object.entries(marks))
  for (const letter of 'aeiounycAEIOUNYC') {
    const letterWithMark = (letter + String.fromCodePoint(mark)).normalize('NFC')
    if (letterWithMark.length === 1) entities.set(packName(letter + name), letterWithMark.charCodeAt(0))
  }

const longestName = 7

const readEntity = (bytes: Uint8Array, at: number, end: number, deep: boolean): number => {
  let from = at + 1
  if (deep) while (isNested(bytes, from) && from - at < 13) from += 4
  if (bytes[from] === 0x23) return readNumbered(bytes, at, from + 1, end)
  let name = 0
  for (let next = from; next < end && next <= from + longestName; next += 1) {
    const byte = bytes[next] ?? 0
    if (byte === 0x3b) return unit(entities.get(name) ?? 0, entities.has(name) ? next + 1 - at : 0)
    if (!isWord(byte)) return 0
    name = name * 128 + byte
  }
  return 0
}

const readNumbered = (bytes: Uint8Array, at: number, from: number, end: number): number => {
  const hexadecimal = ((bytes[from] ?? 0) | 32) === 0x78
  const base = hexadecimal ? 16 : 10
  const first = hexadecimal ? from + 1 : from
  let code = 0
  for (let next = first; next < end && next < first + 9; next += 1) {
    if (bytes[next] === 0x3b) return next > first && code <= 0x10ffff ? unit(code, next + 1 - at) : 0
    const digit = hexDigit[bytes[next] ?? 0] ?? noDigit
    if (digit >= base) return 0
    code = code * base + digit
  }
  return 0
}

/** Reports whether `amp;` precedes what may be the rest of an entity. */
const isNested = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x61 &&
  bytes[at + 1] === 0x6d &&
  bytes[at + 2] === 0x70 &&
  bytes[at + 3] === 0x3b &&
  (bytes[at + 4] === 0x23 || isWord(bytes[at + 4] ?? 0))
