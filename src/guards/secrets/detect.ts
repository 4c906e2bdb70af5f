import { looksAssigned, looksReal } from './looks-real.ts'
import { shapes } from './secret-shapes.ts'
import type { Shape } from './secret-shapes.ts'

interface Detected {
  readonly kind: string
  readonly index: number
  readonly length: number
}

/**
 * Finds texts that are very likely secrets, by their shape alone. Matches are in order and do not overlap. Linear time.
 */
export const detectSecrets = (text: string): Detected[] => {
  const plain = withoutEscapes(text)
  const found = possible(plain).flatMap(([shape, places]) => ofShape(plain, shape, places))
  return apart(found.toSorted((one, other) => one.index - other.index || other.length - one.length))
}

/**
 * Blanks JSON escapes, so that the letter of an escaped line end or control does not look like the beginning of a word.
 */
const withoutEscapes = (text: string): string => {
  if (!text.includes('\\')) return text
  const plain = text.replace(/\\[nrtbf]/gi, '  ')
  return plain.includes('\\') ? plain.replace(/\\u00[01][0-9a-f]/gi, '      ') : plain
}

interface Hint {
  readonly shape: Shape
  /** The characters after the first two. */
  readonly rest: readonly number[]
}

/** Hints that begin with the same two characters; the first group is none. */
const groups: Hint[][] = [[]]
/**
 * The group of each pair of characters, letters in any case. A table of numbers, because this is loaded with every
 * call.
 */
const groupOf = new Uint16Array(1 << 14)
const pairOf = (first: string, second: string): number => (first.charCodeAt(0) << 7) | second.charCodeAt(0)
for (const shape of shapes)
  for (const hint of shape.hints) {
    const rest = Array.from(hint.slice(2), character => character.charCodeAt(0))
    const [first = '', second = ''] = hint
    const group = groupOf[pairOf(first, second)] || groups.push([]) - 1
    for (const one of [first, first.toUpperCase()])
      for (const other of [second, second.toUpperCase()]) groupOf[pairOf(one, other)] = group
    groups[group]?.push({ shape, rest })
  }

/**
 * Returns the shapes with a hint in the text, and where their hints are: one look at each pair of characters, and a
 * closer one if a hint may begin.
 */
const possible = (text: string): [Shape, number[]][] => {
  const places = new Map<Shape, number[]>()
  let pair = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    pair = ((pair << 7) | (code < 128 ? code : 0)) & 0x3fff
    const group = groupOf[pair] ?? 0
    if (group === 0) continue
    for (const { shape, rest } of groups[group] ?? [])
      if (goesOn(text, at + 1, rest)) {
        const own = places.get(shape)
        if (!own) places.set(shape, [at - 1])
        else if (shape.near) own.push(at - 1)
      }
  }
  return [...places]
}

const lowerCode = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code > 64 && code < 91 ? code + 32 : code
}

const goesOn = (text: string, from: number, codes: readonly number[]): boolean => {
  for (let at = 0; at < codes.length; at += 1) if (lowerCode(text, from + at) !== codes[at]) return false
  return true
}

/** Searches the whole text, or the surroundings of each hint if all of them together are shorter. */
const ofShape = (text: string, shape: Shape, places: readonly number[]): Detected[] => {
  const found: Detected[] = []
  const [before, after] = shape.near ?? [0, text.length]
  if (places.length * (before + after) >= text.length) search(text, 0, shape, found)
  else
    for (const place of places) {
      const from = Math.max(0, place - before)
      search(text.slice(from, place + after), from, shape, found)
    }
  return found
}

const search = (text: string, from: number, { kind, pattern, assigned }: Shape, found: Detected[]): void => {
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.['secret'] ?? match[0]
    if (!(assigned ? looksAssigned(secret, match.groups?.['quote'] ?? '') : looksReal(secret))) continue
    found.push({ kind, index: from + match.index + match[0].lastIndexOf(secret), length: secret.length })
  }
}

const apart = (sorted: readonly Detected[]): Detected[] => {
  const kept: Detected[] = []
  let end = 0
  for (const one of sorted) {
    if (one.index < end) continue
    kept.push(one)
    end = one.index + one.length
  }
  return kept
}

/** Replaces every such secret in a text by `[redacted:KIND]`. */
export const maskDetected = (text: string): string => {
  const found = detectSecrets(text)
  if (found.length === 0) return text
  let done = 0
  const pieces = found.map(({ kind, index, length }) => {
    const piece = `${text.slice(done, index)}[redacted:${kind}]`
    done = index + length
    return piece
  })
  return pieces.join('') + text.slice(done)
}
