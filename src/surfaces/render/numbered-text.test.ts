import { expect, it } from 'vitest'
import { aroundLines } from './around-line.ts'
import { contentLines } from './numbered-text.ts'
import { printedLines } from './printed-text.ts'

const style = { paint: (_colour: string, text: string): string => text }

it('numbers the lines of a text where it is known which is the first', () => {
  expect(contentLines({ content: 'a\n\nc\n', from: 9 }, style)).toEqual([' 9  a', '10', '11  c'])
  expect(contentLines({ content: 'a\n' }, style)).toEqual(['a'])
  expect(contentLines({ content: '', from: 1 }, style)).toEqual([])
})

it('marks the line that was asked for, also next to empty ones', () => {
  expect(aroundLines({ line: 3, before: 'a\n', text: 'b', after: '\nc' }, style)).toEqual([
    '  1  a',
    '  2',
    '> 3  b',
    '  4',
    '  5  c',
  ])
  const context = { before: '', errorLine: 'x', after: '' }
  expect(aroundLines({ errorLine: 1, context }, style)).toEqual(['> 1  x'])
})

it('tells standard error from standard output where there are both', () => {
  expect(printedLines({ stdout: 'a\n', stderr: 'b\n' }, style)).toEqual(['a', 'Standard error:', 'b'])
  expect(printedLines({ stdout: '', stderr: 'b\n' }, style)).toEqual(['b'])
})
