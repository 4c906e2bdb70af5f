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

  it('knows case and words as Unicode does', () => {
    expect(lines({ patterns: ['kelvins'], ignoreCase: true }, '\u212aELVIN\u017f\nkelvin')).toEqual([
      '\u212aELVIN\u017f',
    ])
    expect(lines({ patterns: ['i'], ignoreCase: true }, 'ı\nİ\nI')).toEqual(['I'])
    expect(lines({ patterns: ['ab'], word: true }, 'éab\nab-\nab_\n')).toEqual(['ab-'])
    expect(lines({ patterns: ['^\\w+$'], regex: true }, 'école\r\na b\n日本\n')).toEqual(['école', '日本'])
  })

  it('says what a text must hold, whichever the case', () => {
    expect(compilePattern({ patterns: ['abcd'] })?.needs).toEqual({ every: [0x616263, 0x626364] })
    expect(compilePattern({ patterns: ['abc', 'xyz'] })?.needs).toEqual({ some: [0x616263, 0x78797a] })
    expect(compilePattern({ patterns: ['a.*b'], regex: true })?.needs).toBe('anything')
    expect(compilePattern({ patterns: ['abc'], invert: true })?.needs).toBe('anything')
    const needs = compilePattern({ patterns: ['k12'], ignoreCase: true })?.needs
    expect(needs).toEqual({ some: [0x4b3132, 0x6b3132, { every: [0xe284aa, 0x84aa31, 0xaa3132] }] })
  })

  it.each(['(?=a)', '\\1', 'a{2', '[', '\\Ab', '(?-m)^a', '(?-u:.)', 'a\\n', '\\r', '\\p{Nope}', '\\w{500}'])(
    'leaves %s to ripgrep',
    pattern => {
      expect(compilePattern({ patterns: [pattern], regex: true })).toBeUndefined()
    },
  )

  it('leaves matches over line ends to ripgrep', () => {
    expect(compilePattern({ patterns: ['a'], multiline: true })).toBeUndefined()
  })

  it('shows a long line by its first thousand characters', () => {
    const [shown] = lines({ patterns: ['x'] }, `${'é'.repeat(1001)}x\n`)
    expect(shown).toBe(`${'é'.repeat(1000)} [... omitted end of long line]`)
  })
})
