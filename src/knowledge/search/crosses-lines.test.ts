import { expect, it } from 'vitest'
import { crossesLines } from './crosses-lines.ts'

it.each(['foo', 'a|b', '\\w+\\.x', '.*', '[a-z]+\\d', '(?:a|b)', '(?i)a', '(?<name>a)', '\\\\n', 'a\\$', '\\bx\\S'])(
  '%s stays within a line',
  pattern => {
    expect(crossesLines(pattern, true)).toBe(false)
  },
)

it.each([
  '\\n',
  'a\\s',
  '[^a]',
  '(?s).',
  '(?s:.)',
  '\\W',
  '\\D',
  '\\x0a',
  '\\x{a}',
  '\\p{Zl}',
  '[[:space:]]',
  'a$',
  '^',
  '\\A',
  'a\nb',
  '\\\\\\n',
])('%j may go over a line end', pattern => {
  expect(crossesLines(pattern, true)).toBe(true)
})

it('is about text as it stands without an expression', () => {
  expect([crossesLines('a\\s$', false), crossesLines('a\nb', false)]).toEqual([false, true])
})
