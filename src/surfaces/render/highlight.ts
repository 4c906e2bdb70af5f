import { sanitizeBlock } from '../../kernel/sanitize.ts'
import { isFields, textAt, textsIn } from './shape.ts'
import type { Style } from './paint.ts'

/** Longer lines are shown without marks: no one reads them, and a regular expression may be slow on them. */
const LONGEST = 2_000

/** Removes control characters from a line and marks the hits. */
export function highlighted(line: string, { paint, hits }: Style): string {
  if (!hits || line.length > LONGEST) return sanitizeBlock(line)
  let shown = ''
  let at = 0
  for (const { 0: hit, index } of line.matchAll(hits)) {
    if (hit === '') continue
    shown += sanitizeBlock(line.slice(at, index)) + paint('hit', sanitizeBlock(hit))
    at = index + hit.length
  }
  return shown + sanitizeBlock(line.slice(at))
}

/** Returns an expression for the hits of a search, or undefined if unknown; then nothing is marked. */
export function hitsOf(input: unknown): RegExp | undefined {
  if (!isFields(input) || input['invert'] === true) return undefined
  const given = [textAt(input, 'pattern') ?? [], textsIn(input['patterns']) ?? []].flat()
  const name = textAt(input, 'name', 'symbol')?.split('.').at(-1)
  const isRegex = given.length > 0 && (input['regex'] === true || input['is_regex'] === true)
  const wanted = given.length > 0 ? given : [name ?? []].flat()
  if (wanted.length === 0 || (isRegex && wanted.some(isSlow))) return undefined
  const one = wanted.map(text => (isRegex ? `(?:${text})` : text.replaceAll(SPECIAL, '\\$&'))).join('|')
  const isWord = input['word'] === true || given.length === 0
  try {
    return new RegExp(isWord ? `\\b(?:${one})\\b` : one, input['ignoreCase'] === true ? 'giu' : 'gu')
  } catch {
    // Valid for ripgrep but not here.
    return undefined
  }
}

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g

/** A repeated group can backtrack without end on a crafted line. */
const isSlow = (expression: string): boolean => /\)[*+{]/.test(expression)
