import { languageAt } from '../../languages/registry.ts'
const LONGEST = 400
const OPENING = '([{<'
const CLOSING = ')]}>'

/** The head of a declaration on one line: its text up to its body. */
export function headOf(path: string, text: string): string {
  const isIndented = languageAt(path).isIndented === true
  let depth = 0
  let at = 0
  for (; at < text.length && at < 4 * LONGEST; at++) {
    const character = text[at] ?? ''
    if (depth === 0 && (character === '{' || text.startsWith('=>', at) || character === ';')) break
    if (depth === 0 && isIndented && character === ':') break
    if (depth === 0 && character === '\n' && at > 0 && !/[,(=]\s*$/.test(text.slice(0, at))) break
    // An arrow is no bracket.
    if (character === '>' && /[=-]/.test(text[at - 1] ?? '')) continue
    if (OPENING.includes(character)) depth++
    if (CLOSING.includes(character)) depth = Math.max(0, depth - 1)
  }
  const head = text
    .slice(0, at)
    .replaceAll(/\s+/g, ' ')
    .replace(/\s*=\s*$/, '')
    .trim()
  return head.length > LONGEST ? `${head.slice(0, LONGEST - 1)}…` : head
}
