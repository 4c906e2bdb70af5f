import { describe, expect, it } from 'vitest'
import { highlightLine, hitsOf } from './highlight.ts'

const paint = (_colour: string, text: string): string => `<${text}>`
const marked = (input: object, line: string): string => highlightLine(line, { paint, hits: hitsOf(input) })

describe('highlightLine', () => {
  it.each([
    ['text', { pattern: 'a.b' }, 'a.b axb', '<a.b> axb'],
    ['several texts', { patterns: ['a', 'c'] }, 'abc', '<a>b<c>'],
    ['an expression', { pattern: 'a+', regex: true }, 'caat', 'c<aa>t'],
    ['any case', { pattern: 'A', ignoreCase: true }, 'a', '<a>'],
    ['whole words', { pattern: 'go', word: true }, 'go gone', '<go> gone'],
    ['a symbol by its last name', { name: 'Cart.total' }, 'total totals', '<total> totals'],
    ['nothing where lines without it are wanted', { pattern: 'a', invert: true }, 'b', 'b'],
    ['nothing for an expression that is none here', { pattern: '(?i)a', regex: true }, 'a', 'a'],
    ['nothing for an expression that may take for ever', { pattern: '(a+)+$', regex: true }, 'aa', 'aa'],
    ['nothing for an empty hit', { pattern: 'x*', regex: true }, 'a', 'a'],
  ])('marks %s', (_what, input, line, expected) => {
    expect(marked(input, line)).toBe(expected)
  })

  it('shows what would steer the terminal as text, in hits too', () => {
    expect(marked({ pattern: '\x1b[2J' }, 'a\x1b[2Jb\x07')).toBe(String.raw`a<\x1b[2J>b\x07`)
  })
})
