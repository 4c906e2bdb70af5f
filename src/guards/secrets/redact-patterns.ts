import { base64Digits } from './redact-alphabet.ts'
import {
  asciiGram,
  base64Patterns,
  partialBytes,
  textForms,
  textGrams,
  textPattern,
  wideForms,
} from './redact-pattern.ts'
import type { Base64Pattern, Pattern, TextPattern } from './redact-pattern.ts'

export interface Patterns {
  /** By the gram that each is searched by. */
  readonly byGram: ReadonlyMap<number, readonly Pattern[]>
  /** Values with too few letters and digits for a gram; searched at every place they could begin. */
  readonly direct: readonly TextPattern[]
  /** Values of two or three characters; matched only as whole words. */
  readonly words: readonly { readonly key: string; readonly bytes: Buffer }[]
  /** One for every hash of a gram. */
  readonly sieve: Uint8Array
  readonly shift: number
  /** A match begins at most this many bytes before the end of its gram. */
  readonly window: number
  /** No secret is written in more bytes than this: each of its bytes as a nested escape, with invisible ones between. */
  readonly reach: number
}

const shortest = 4
const shortestCoded = 5
/** A shorter value gives too few characters of its own in a form that is encoded twice. */
const shortestNested = 8

/** Compiles the patterns of some secrets, with a sieve that lets almost nothing else through. */
export const createPatterns = (secrets: ReadonlyMap<string, string>): Patterns => {
  const byGram = new Map<number, Pattern[]>()
  const direct: TextPattern[] = []
  const words: { key: string; bytes: Buffer }[] = []
  let lead = 0

  const add = (gram: number | undefined, pattern: Pattern): void => {
    if (gram === undefined) return
    const patterns = byGram.get(gram)
    if (patterns) patterns.push(pattern)
    else byGram.set(gram, [pattern])
  }
  const addText = (key: string, value: string, whole: boolean): void => {
    for (const form of textForms(value)) {
      const pattern = textPattern(key, value, form, whole)
      const grams = textGrams(pattern)
      lead = Math.max(lead, pattern.lead)
      if (grams.size === 0) direct.push(pattern)
      for (const gram of grams) add(gram, pattern)
    }
  }
  const addCoded = (key: string, value: string): void => {
    const partial = partialBytes(value)
    for (const [at, bytes] of [Buffer.from(value), ...wideForms(value)].entries()) {
      const enough = at === 0 ? partial : partial * 2
      for (const pattern of base64Patterns(key, bytes, enough)) add(asciiGram(wholeCells(pattern)), pattern)
      const hex: Pattern = { kind: 'hex', key, bytes, partial: enough }
      add(asciiGram(bytes.toString('hex', 0, 4)), hex)
      // Omits the first digit: otherwise the text before `0x` would be all that is known of the first byte.
      add(
        asciiGram(
          Array.from(bytes.subarray(0, 4), byte => `0x${hexByte(byte)}`)
            .join('')
            .slice(3),
        ),
        hex,
      )
      if (at === 0)
        add(asciiGram(bytes.subarray(0, 5).join('')), {
          kind: 'decimal',
          key,
          bytes,
          partial: enough,
        })
    }
  }

  const addNested = (key: string, form: string): void => {
    const bytes = Buffer.from(form)
    const partial = Math.ceil(bytes.length / 2)
    for (const pattern of base64Patterns(key, bytes, partial)) add(asciiGram(wholeCells(pattern)), pattern)
    add(asciiGram(bytes.toString('hex', 0, 4)), { kind: 'hex', key, bytes, partial })
  }

  for (const [name, rawValue] of secrets) {
    const key = name.replace(/[^\w.-]/g, '_')
    const value = rawValue.trim()
    const characters = [...value].length
    if (characters >= shortest) addText(key, value, false)
    else if (characters > 1) words.push({ key, bytes: Buffer.from(value) })
    if (Buffer.byteLength(value) >= shortestCoded && characters >= shortest) addCoded(key, value)
    if (characters >= shortestNested) for (const form of nestedForms(value)) addNested(key, form)
    const asName = nameOf(value)
    if (asName !== undefined) addText(key, asName, true)
    for (const part of parts(value)) addText(key, part, true)
  }
  const longest = Math.max(...Array.from(secrets.values(), value => Buffer.byteLength(value)))
  const reach = 4096 + 32 * longest
  return {
    byGram,
    direct,
    words,
    window: 160 + 12 * lead,
    reach,
    ...createSieve(byGram.keys(), byGram.size),
  }
}

/** Returns the forms of a value that are often encoded once more. */
const nestedForms = (value: string): Set<string> => {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const base64 = base64Patterns('', bytes, Infinity).map(wholeCells)
  const jsonForm = JSON.stringify(value).slice(1, -1)
  const units = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at).toString(16).padStart(4, '0'))
  const percent = encodeURIComponent(value.toWellFormed())
  const url = base64.map(text => text.replaceAll('+', '-').replaceAll('/', '_'))
  const forms = [...base64, ...url, hex, hex.toUpperCase(), percent, jsonForm, `\\u${units.join('\\u')}`]
  return new Set(forms.filter(form => form !== value))
}

/** Returns a value as programs turn it into the name of a variable; undefined if that gives little of it away. */
const nameOf = (value: string): string | undefined => {
  const name = value.replaceAll(/\W/gu, '_')
  return name === value || name.replaceAll('_', '').length < shortestNested ? undefined : name
}

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0')

/** Returns the characters of base64 that the value alone determines. */
const wholeCells = ({ cells, masks }: Base64Pattern): string => {
  let text = ''
  for (const cell of cells.subarray(masks.indexOf(63), masks.lastIndexOf(63) + 1)) text += base64Digits[cell]
  return text
}

/** Returns parts that give a value away on their own: each long line, the password of an address, the second half. */
const parts = (value: string): string[] => {
  if (value.includes('\n'))
    return value
      .split('\n')
      .map(line => line.trim())
      .filter(line => line.length >= 12 && !line.startsWith('-----'))
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@:]*:([^/?#]{6,})@/i.exec(value)?.[1]
  if (password !== undefined) return [...new Set([password, percentDecoded(password)])]
  if (partialBytes(value) === Infinity || value.includes('://')) return []
  const characters = [...value]
  return [characters.slice(Math.floor(characters.length / 2)).join('')]
}

const percentDecoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const createSieve = (grams: Iterable<number>, count: number): { sieve: Uint8Array; shift: number } => {
  const bits = Math.min(18, Math.max(10, Math.ceil(Math.log2(count + 1)) + 6))
  const sieve = new Uint8Array(2 ** bits)
  const shift = 32 - bits
  for (const gram of grams) sieve[hash(gram, shift)] = 1
  return { sieve, shift }
}

export const hash = (gram: number, shift: number): number => Math.imul(gram, 0x9e3779b1) >>> shift
