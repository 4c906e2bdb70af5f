import { expect, it } from 'vitest'
import { hitsOf } from './highlight.ts'
import { matchLines } from './matches.ts'

const paint = (colour: string, text: string): string => (colour === 'hit' ? `<${text}>` : text)

it('groups matches by file, each line once, with gaps where lines are left out', () => {
  const matches = [
    { path: 'a', line: 2, text: 'two', before: ['one'], after: ['three'] },
    { path: 'a', line: 3, text: 'three', before: ['two'], after: [] },
    { path: 'a', line: 10, text: 'ten', before: [], after: [] },
    { path: 'b', line: 1, text: 'b\nc', before: [], after: [] },
  ]
  expect(matchLines(matches, { paint })).toEqual([
    'a',
    ' 1-one',
    ' 2:two',
    ' 3:three',
    '--',
    '10:ten',
    '',
    'b',
    '1:b',
    '2:c',
  ])
})

it('marks hits in matching lines alone', () => {
  const matches = [{ path: 'a', line: 2, text: 'x x', before: ['x'] }]
  expect(matchLines(matches, { paint, hits: hitsOf({ pattern: 'x' }) })).toEqual(['a', '1-x', '2:<x> <x>'])
})
