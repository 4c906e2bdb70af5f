import {
  base64Patterns,
  gramSize,
  partialBytes,
  textForms,
  textGrams,
  textPattern,
  wideForms,
} from './redact-pattern.ts'
import type { Base64Pattern, BytePattern, TextPattern } from './redact-pattern.ts'

/** What the sieve's bits mean. */
export const asText = 1
export const asBase64 = 2
export const asHex = 4
export const asDecimal = 8

export interface Patterns {
  readonly text: ReadonlyMap<number, readonly TextPattern[]>
  readonly base64: ReadonlyMap<number, readonly Base64Pattern[]>
  readonly hex: ReadonlyMap<number, readonly BytePattern[]>
  readonly decimal: ReadonlyMap<number, readonly BytePattern[]>
  /** Values with too few letters and digits for the sieve; looked for at every place they could begin. */
  readonly direct: readonly TextPattern[]
  /** Values of two or three characters; only as whole words. */
  readonly words: readonly BytePattern[]
  /** One byte for each hash of a gram, the bits of the kinds that have it. */
  readonly sieve: Uint8Array
  readonly shift: number
  /** A match begins at most this many bytes before the end of its first gram. */
  readonly window: number
}

const shortest = 4
const shortestCoded = 5

/** The patterns of some secrets, with a sieve that lets almost nothing else through. */
export const createPatterns = (secrets: ReadonlyMap<string, string>): Patterns => {
  const text = new Map<number, TextPattern[]>()
  const base64 = new Map<number, Base64Pattern[]>()
  const hex = new Map<number, BytePattern[]>()
  const decimal = new Map<number, BytePattern[]>()
  const direct: TextPattern[] = []
  const words: BytePattern[] = []
  let lead = 0

  const addText = (key: string, value: string, whole: boolean): void => {
    for (const form of textForms(value)) {
      const pattern = textPattern(key, value, form, whole)
      const grams = textGrams(form)
      lead = Math.max(lead, pattern.lead)
      if (grams.size === 0) direct.push(pattern)
      for (const gram of grams) add(text, gram, pattern)
    }
  }
  const addCoded = (key: string, value: string): void => {
    const partial = partialBytes(value)
    for (const [at, bytes] of [Buffer.from(value), ...wideForms(value)].entries()) {
      const enough = at === 0 ? partial : partial * 2
      add(hex, bytes.readInt32BE(0), { key, bytes, partial: enough })
      if (at === 0) add(decimal, bytes.readInt32BE(0), { key, bytes, partial: enough })
      for (const pattern of base64Patterns(key, bytes, enough)) add(base64, firstCells(pattern), pattern)
    }
  }

  for (const [name, untrimmed] of secrets) {
    const key = name.replace(/[^\w.-]/g, '_')
    const value = untrimmed.trim()
    const characters = [...value].length
    if (characters >= shortest) addText(key, value, false)
    else if (characters > 1) words.push({ key, bytes: Buffer.from(value), partial: Infinity })
    if (Buffer.byteLength(value) >= shortestCoded && characters >= shortest) addCoded(key, value)
    for (const part of parts(value)) addText(key, part, true)
  }
  const kinds = [text, base64, hex, decimal] as const
  return { text, base64, hex, decimal, direct, words, window: 160 + 12 * lead, ...createSieve(kinds) }
}

const add = <Pattern>(map: Map<number, Pattern[]>, gram: number, pattern: Pattern): void => {
  const patterns = map.get(gram)
  if (patterns) patterns.push(pattern)
  else map.set(gram, [pattern])
}

const firstCells = ({ cells, masks }: Base64Pattern): number => {
  const first = masks.indexOf(63)
  return cells.subarray(first, first + gramSize).reduce((gram, cell) => (gram << 6) | cell, 0)
}

/** Parts that give a value away on their own: each long line, the password of an address, the second half. */
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

type Grams = ReadonlyMap<number, unknown>

const createSieve = (kinds: readonly [Grams, Grams, Grams, Grams]): { sieve: Uint8Array; shift: number } => {
  const grams = kinds.reduce((sum, kind) => sum + kind.size, 0)
  const bits = Math.min(18, Math.max(10, Math.ceil(Math.log2(grams + 1)) + 7))
  const sieve = new Uint8Array(2 ** bits)
  const shift = 32 - bits
  for (const [at, bit] of [asText, asBase64, asHex, asDecimal].entries())
    for (const gram of kinds[at]?.keys() ?? []) {
      const place = hash(gram, shift)
      sieve[place] = (sieve[place] ?? 0) | bit
    }
  return { sieve, shift }
}

export const hash = (gram: number, shift: number): number => Math.imul(gram, 0x9e3779b1) >>> shift
