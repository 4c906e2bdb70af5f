import { looksAssigned, looksReal } from './looks-real.ts'
import { shapes } from './secret-shapes.ts'
import type { Shape } from './secret-shapes.ts'

export interface Detected {
  readonly kind: string
  readonly index: number
  readonly length: number
}

/** Where a text holds what is very likely a secret, by its shape alone; in order, apart from each other. Linear in time. */
export const detectSecrets = (text: string): Detected[] => {
  const plain = withoutEscapes(text)
  const found = possible(plain).flatMap(shape => ofShape(plain, shape))
  return apart(found.toSorted((one, other) => one.index - other.index || other.length - one.length))
}

/** The text with every such secret replaced by `[redacted:KIND]`. */
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

/** Text inside JSON: the letter of an escaped line end or control is not the beginning of the word after it. */
const withoutEscapes = (text: string): string =>
  text.includes('\\') ? text.replace(/\\(?:[nrtbf]|u00[01][0-9a-f])/gi, escape => ' '.repeat(escape.length)) : text

/** Which shapes may begin with these two characters; letters in any case. */
const byPair: (Shape[] | undefined)[] = Array.from({ length: 1 << 14 })
for (const shape of shapes)
  for (const hint of shape.hints) {
    const pair = (hint.charCodeAt(0) << 7) | hint.charCodeAt(1)
    const others = byPair[pair] ?? []
    byPair[pair] = others.includes(shape) ? others : [...others, shape]
  }

/** The shapes one of whose hints the text holds: one look at each pair of characters, then a closer one at few shapes. */
const possible = (text: string): Shape[] => {
  const near = new Set<Shape>()
  let pair = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const lower = code > 64 && code < 91 ? code + 32 : code
    pair = ((pair << 7) | (lower < 128 ? lower : 0)) & 0x3fff
    const some = byPair[pair]
    if (some !== undefined) for (const shape of some) near.add(shape)
  }
  if (near.size === 0) return []
  const lower = text.toLowerCase()
  return [...near].filter(({ hints }) => hints.some(hint => lower.includes(hint)))
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
