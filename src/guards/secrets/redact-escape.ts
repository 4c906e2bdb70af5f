import { hexDigit, noDigit } from './redact-alphabet.ts'
import { codeOf, lengthOf, readHex, readUtf8, unit } from './redact-unit.ts'

type Step = (bytes: Uint8Array, at: number, end: number) => number

/**
 * The character that an escape at this place means, read through every level of quoting: `%2540` and `%40`, `\"` and
 * `\\\"`, `&amp;quot;` and `&quot;`. 0 where there is none.
 */
export const readEscape: Step = (bytes, at, end) => {
  const lead = bytes[at]
  if (lead === 0x5c) return readBackslash(bytes, at, end)
  if (lead === 0x25) return readPercent(bytes, at, end, true)
  if (lead === 0x26) return readEntity(bytes, at, end, true)
  return 0
}

/** The same through one level only: `%25` is a percent sign, `&amp;` an ampersand. */
export const readEscapeOnce: Step = (bytes, at, end) => {
  if (bytes[at] === 0x25) return readPercent(bytes, at, end, false)
  if (bytes[at] === 0x26) return readEntity(bytes, at, end, false)
  return 0
}

const readPercent = (bytes: Uint8Array, at: number, end: number, deep: boolean): number => {
  let from = at + 1
  if (deep) while (isEncodedPercent(bytes, from, end) && from - at < 9) from += 2
  if (bytes[from] === 0x75) {
    const code = readHex(bytes, from + 1, 4, end)
    return code < 0 ? 0 : unit(code, from + 5 - at)
  }
  const step: Step = (all, place, last) => (all[place] === 0x25 ? readHex(all, place + 1, 2, last) : -1)
  const byte = readHex(bytes, from, 2, end)
  return byte < 0 ? 0 : joinBytes(bytes, at, from + 2, end, byte, 3, step)
}

const isEncodedPercent = (bytes: Uint8Array, at: number, end: number): boolean =>
  bytes[at] === 0x32 && bytes[at + 1] === 0x35 && (readHex(bytes, at + 2, 2, end) >= 0 || bytes[at + 2] === 0x75)

const named: Readonly<Record<number, number>> = {
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
  return unit(named[kind] ?? kind, from + 1 - at)
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

/** Escaped bytes that together write one UTF-8 character are that character; a single one is itself. */
const joinBytes = (
  bytes: Uint8Array,
  at: number,
  next: number,
  end: number,
  first: number,
  width: number,
  step: Step,
): number => {
  if (first < 0xc2) return unit(first, next - at)
  const sequence = Uint8Array.of(first, 0, 0, 0)
  let known = 1
  while (known < 4) {
    const byte = step(bytes, next + (known - 1) * width, end)
    if (byte < 0) break
    sequence[known] = byte
    known += 1
  }
  const read = readUtf8(sequence, 0, known)
  if (read === 0) return unit(first, next - at)
  return unit(codeOf(read), next - at + (lengthOf(read) - 1) * width)
}

const entities = new Map(
  Object.entries({ quot: 34, amp: 38, lt: 60, gt: 62, apos: 39, nbsp: 160, szlig: 223, Tab: 9, NewLine: 10, sol: 47 }),
)
const marks = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['cedil', '\u0327'],
])

const readEntity = (bytes: Uint8Array, at: number, end: number, deep: boolean): number => {
  let from = at + 1
  if (deep) while (isNested(bytes, from) && from - at < 13) from += 4
  const close = bytes.subarray(from, Math.min(end, from + 10)).indexOf(0x3b)
  if (close < 1) return 0
  const name = String.fromCharCode(...bytes.subarray(from, from + close))
  const code = entityCode(name)
  return code === undefined || code > 0x10ffff ? 0 : unit(code, from + close + 1 - at)
}

/** `amp;` with the rest of an entity behind it. */
const isNested = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === 0x61 &&
  bytes[at + 1] === 0x6d &&
  bytes[at + 2] === 0x70 &&
  bytes[at + 3] === 0x3b &&
  bytes.subarray(at + 4, at + 12).indexOf(0x3b) > 0

const entityCode = (name: string): number | undefined => {
  if (/^#\d+$/.test(name)) return Number(name.slice(1))
  if (/^#[xX][\da-fA-F]+$/.test(name)) return Number.parseInt(name.slice(2), 16)
  const mark = marks.get(name.slice(1))
  if (mark !== undefined) return ((name[0] ?? '') + mark).normalize('NFC').codePointAt(0)
  return entities.get(name)
}
