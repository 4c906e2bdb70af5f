import { describe, expect, it } from 'vitest'
import { compilePattern } from './compile-pattern.ts'
import type { PatternOptions } from './types.ts'

function lines(options: PatternOptions, text: string): string[] {
  const pattern = compilePattern(options)
  const bytes = Buffer.from(text)
  const found: string[] = []
  pattern?.find(bytes, (start, end) => void found.push(pattern.show(bytes, start, end)))
  return found
}

describe('a compiled pattern', () => {
  it('finds each line with a text once', () => {
    expect(lines({ patterns: ['ab'] }, 'ab ab\r\nb\nxab')).toEqual(['ab ab', 'xab'])
    expect(lines({ patterns: ['ab', 'ca'] }, 'ca ab\nb\nxab\nca\n')).toEqual(['ca ab', 'xab', 'ca'])
  })

  it('finds the lines without a text', () => {
    expect(lines({ patterns: ['ab'], invert: true }, 'ab\n\nb\nab\nc')).toEqual(['', 'b', 'c'])
    expect(lines({ patterns: ['ab'], invert: true }, 'ab\n')).toEqual([])
    expect(lines({ patterns: ['ab'], invert: true }, '')).toEqual([])
  })

  it('stops when no further line is wanted', () => {
    for (const invert of [false, true]) {
      const starts: number[] = []
      const pattern = compilePattern({ patterns: [invert ? 'x' : 'a'], invert })
      pattern?.find(Buffer.from('a\na\na'), start => starts.push(start) === 2)
      expect(starts).toEqual([0, 2])
    }
  })
})
