import { byteSymbol, isWord, symbolOf } from './redact-alphabet.ts'
import { readEscape } from './redact-escape.ts'
import { codeOf, lengthOf, readUtf8 } from './redact-unit.ts'

/** How many symbols in a row make a place worth a closer look. */
export const gramSize = 5

interface Named {
  readonly key: string
  /** How many bytes from its beginning give the value away and are redacted; Infinity: all of it must be there. */
  readonly partial: number
}

/** A value as a sequence of bytes that are written out as numbers. */
export interface NumberPattern extends Named {
  readonly kind: 'hex' | 'decimal'
  readonly bytes: Uint8Array
}

export interface TextPattern extends Named {
  readonly kind: 'text'
  readonly bytes: Uint8Array
  /** Ignores case. */
  readonly fold: boolean
  /** May be written as several strings or lines: not a short value, and not JSON, whose own lines would join. */
  readonly joins: boolean
  /** Symbols before the gram that it is searched by; bytes before that gram and up to its end, when written raw. */
  readonly rare: number
  readonly lead: number
  readonly span: number
}

export interface Base64Pattern extends Named {
  readonly kind: 'base64'
  /** Six bits each, and a mask of those that belong to the value. */
  readonly cells: Uint8Array
  readonly masks: Uint8Array
}

export type Pattern = TextPattern | Base64Pattern | NumberPattern

/**
 * Returns the bytes of a text value in the common character sets, composed, decomposed, in both cases, and read in
 * another character set than it was written in. Also as JSON escapes it, for what encodes JSON once more.
 */
export const textForms = (value: string): Buffer[] => {
  const forms = distinct([value, JSON.stringify(value).slice(1, -1)].map(text => Buffer.from(text)))
  if (!/[^\0-\x7f]/.test(value)) return forms
  const composedForm = value.normalize('NFC')
  for (const text of [composedForm, value.normalize('NFD'), composedForm.toLowerCase(), composedForm.toUpperCase()])
    forms.push(Buffer.from(text))
  const bytes = Buffer.from(composedForm)
  for (const text of [bytes.toString('latin1'), new TextDecoder('windows-1252').decode(bytes)])
    forms.push(Buffer.from(text))
  if (!/[^\0-\xff]/.test(composedForm)) forms.push(Buffer.from(composedForm, 'latin1'))
  return distinct([...forms, ...wideForms(composedForm)])
}

/** Returns a text in UTF-16 of both byte orders. */
export const wideForms = (value: string): Buffer[] => {
  const little = Buffer.from(value, 'utf16le')
  return [little, Buffer.from(little).swap16()]
}

const distinct = (forms: readonly Buffer[]): Buffer[] =>
  forms.filter((form, at) => forms.findIndex(other => other.equals(form)) === at)

export const textPattern = (key: string, value: string, bytes: Buffer, whole: boolean): TextPattern => {
  const raw = bytes.equals(Buffer.from(value))
  const partial = raw && !whole ? partialBytes(value) : Infinity
  const places = symbols(bytes, false)
  const rare = rarest(places, bytes, partial)
  return {
    kind: 'text',
    key,
    bytes,
    fold: value.length >= 8,
    joins: value.length >= 8 && !/[{}[\]]/.test(value),
    partial,
    rare,
    lead: places[rare]?.at ?? bytes.length,
    span: places[rare + gramSize - 1]?.end ?? bytes.length,
  }
}

/**
 * Returns the grams that the value can appear under, raw and through the escapes that change its characters; empty if
 * it has too few letters and digits.
 */
export const textGrams = (pattern: TextPattern): Set<number> => {
  const grams = new Set<number>()
  if (symbols(Buffer.from(pattern.bytes), false).length < gramSize) return grams
  const text = Buffer.from(pattern.bytes).toString('latin1')
  const samples = /[\p{Cc}"%&'\\]/u.test(text.slice(0, 128)) ? [text, ...encodings.map(encode => encode(text))] : [text]
  for (const sample of samples)
    for (const decode of [false, true]) {
      const places = symbols(Buffer.from(sample, 'latin1'), decode).slice(pattern.rare, pattern.rare + gramSize)
      if (places.length === gramSize) grams.add(gramOf(places))
    }
  return grams
}

const gramOf = (places: readonly Place[]): number => places.reduce((gram, { symbol }) => (gram << 6) | symbol, 0)

/** Returns the first gram of an ASCII text, if it is long enough. */
export const asciiGram = (text: string): number | undefined => {
  const places = symbols(Buffer.from(text, 'latin1'), false, gramSize)
  return places.length < gramSize ? undefined : gramOf(places)
}

/**
 * Returns the first gram with a digit in it, else the last: many values begin with the same words, and so does other
 * text.
 */
const rarest = (places: readonly Place[], bytes: Buffer, partial: number): number => {
  let last = 0
  for (let first = 0; first + gramSize <= places.length; first += 1) {
    const gram = places.slice(first, first + gramSize)
    if ((gram.at(-1)?.end ?? 0) > partial) return last
    if (gram.some(({ at }) => (bytes[at] ?? 0) > 0x2f && (bytes[at] ?? 0) < 0x3a)) return first
    last = first
  }
  return last
}

const percent = (text: string): string =>
  text.replace(/[^A-Za-z0-9_.~-]/g, byte => `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
const json = (text: string): string => JSON.stringify(text).slice(1, -1)
const html = (text: string): string => text.replace(/[&<>"']/g, byte => `&#${byte.charCodeAt(0)};`)
const twice =
  (encode: (text: string) => string) =>
  (text: string): string =>
    encode(encode(text))
const encodings = [percent, twice(percent), json, twice(json), html]

interface Place {
  readonly symbol: number
  readonly at: number
  readonly end: number
}

const farthestSymbol = 24

/** Returns the symbols of some bytes with their places, exactly as the sweep sees them. */
const symbols = (bytes: Buffer, decode: boolean, most = farthestSymbol): Place[] => {
  const places: Place[] = []
  for (let at = 0; at < bytes.length && places.length < most;) {
    const byte = bytes[at] ?? 0
    const escape = decode && !isWord(byte) ? readEscape(bytes, at, bytes.length) : 0
    const read = escape === 0 ? readUtf8(bytes, at, bytes.length) : escape
    const end = at + Math.max(1, lengthOf(read))
    const symbol = byte < 0x80 && escape === 0 ? (byteSymbol[byte] ?? 0) : read === 0 ? 0 : symbolOf(codeOf(read))
    if (symbol !== 0) places.push({ symbol, at, end })
    at = end
  }
  return places
}

/** Returns the three ways base64 can split the bytes of a value, depending on what precedes it. */
export const base64Patterns = (key: string, bytes: Buffer, partial: number): Base64Pattern[] =>
  [0, 1, 2].map(offset => {
    const paddedBytes = Buffer.concat([Buffer.alloc(offset), bytes])
    const mask = Buffer.concat([Buffer.alloc(offset), Buffer.alloc(bytes.length, 255)])
    const cells = sixBits(paddedBytes)
    const masks = sixBits(mask)
    const first = masks.findIndex(bits => bits !== 0)
    return {
      kind: 'base64',
      key,
      partial: Math.ceil(((partial + offset) * 8) / 6) - first,
      cells: cells.subarray(first),
      masks: masks.subarray(first),
    }
  })

const sixBits = (bytes: Buffer): Uint8Array => {
  const cells = new Uint8Array(Math.ceil((bytes.length * 8) / 6))
  for (let cell = 0; cell < cells.length; cell += 1) {
    const bit = cell * 6
    const pair = ((bytes[bit >> 3] ?? 0) << 8) | (bytes[(bit >> 3) + 1] ?? 0)
    cells[cell] = (pair >> (10 - (bit & 7))) & 63
  }
  return cells
}

/**
 * Returns how many bytes from its beginning give a value away: half of it, if it is long, looks random enough, and that
 * half is not just the public part of an address.
 */
export const partialBytes = (value: string): number => {
  const characters = [...value]
  if (characters.length < 16) return Infinity
  const half = characters.slice(0, Math.max(8, Math.floor(characters.length / 2))).join('')
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^\sA-Za-z0-9]/].filter(kind => kind.test(half)).length
  if (/\s/.test(half) || kinds < 2) return Infinity
  if (half.includes('://') && !/:\/\/[^/]*:[^/@]{4}/.test(half)) return Infinity
  return Buffer.byteLength(half)
}
