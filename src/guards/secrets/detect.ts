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
  const found = possible(plain).flatMap(shape => ofShape(plain, shape))
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
for (const shape of shapes)
  for (const hint of shape.hints) {
    const pair = (hint.charCodeAt(0) << 7) | hint.charCodeAt(1)
    const rest = Array.from(hint.slice(2), character => character.charCodeAt(0))
    const group = groupOf[pair] || groups.push([]) - 1
    groupOf[pair] = group
    groups[group]?.push({ shape, rest })
  }

/**
 * Returns the shapes with a hint in the text: one look at each pair of characters, and a closer one if a hint may
 * begin.
 */
const possible = (text: string): Shape[] => {
  const near = new Set<Shape>()
  let pair = 0
  for (let at = 0; at < text.length; at += 1) {
    const lower = lowerCode(text, at)
    pair = ((pair << 7) | (lower < 128 ? lower : 0)) & 0x3fff
    const group = groupOf[pair] ?? 0
    if (group === 0) continue
    for (const { shape, rest } of groups[group] ?? [])
      if (goesOn(text, at + 1, rest) && !near.has(shape)) near.add(shape)
  }
  return [...near]
}

const lowerCode = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code > 64 && code < 91 ? code + 32 : code
}

const goesOn = (text: string, from: number, codes: readonly number[]): boolean => {
  for (let at = 0; at < codes.length; at += 1) if (lowerCode(text, from + at) !== codes[at]) return false
  return true
}

const ofShape = (text: string, { kind, pattern, assigned }: Shape): Detected[] => {
  const found: Detected[] = []
  for (const match of text.matchAll(pattern)) {
    const secret = match.groups?.['secret'] ?? match[0]
    if (!(assigned ? looksAssigned(secret, match.groups?.['quote'] ?? '') : looksReal(secret))) continue
    found.push({ kind, index: match.index + match[0].lastIndexOf(secret), length: secret.length })
  }
  return found
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
