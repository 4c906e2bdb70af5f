import { sanitizeBlock } from '../../kernel/sanitize.ts'
import { isFields, textAt, textsIn } from './shape.ts'
import type { Style } from './paint.ts'

/** Longer lines are shown without marks: no one reads them, and a regular expression may be slow on them. */
const LONGEST = 2_000

/** Removes control characters from a line and marks the hits. */
export function highlightLine(line: string, { paint, hits }: Style): string {
  if (!hits || line.length > LONGEST) return sanitizeBlock(line)
  let highlightedText = ''
  let at = 0
  for (const { 0: hit, index } of line.matchAll(hits)) {
    if (hit === '') continue
    highlightedText += sanitizeBlock(line.slice(at, index)) + paint('hit', sanitizeBlock(hit))
    at = index + hit.length
  }
  return highlightedText + sanitizeBlock(line.slice(at))
}

/** Returns an expression for the hits of a search, or undefined if unknown; then nothing is marked. */
export function hitsOf(input: unknown): RegExp | undefined {
  if (!isFields(input) || input['invert'] === true) return undefined
  const patterns = [textAt(input, 'pattern') ?? [], textsIn(input['patterns']) ?? []].flat()
  const name = textAt(input, 'name', 'symbol')?.split('.').at(-1)
  const isRegex = patterns.length > 0 && (input['regex'] === true || input['is_regex'] === true)
  const searchTexts = patterns.length > 0 ? patterns : [name ?? []].flat()
  if (searchTexts.length === 0 || (isRegex && searchTexts.some(isSlow))) return undefined
  const one = searchTexts.map(text => (isRegex ? `(?:${text})` : text.replaceAll(SPECIAL, '\\$&'))).join('|')
  const isWord = input['word'] === true || patterns.length === 0
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
