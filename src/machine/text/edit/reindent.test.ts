import { describe, expect, it } from 'vitest'
import { reindent } from './reindent.ts'

/** Pairs as "given>file", and what the way makes of other indentations. */
const way = (pairs: readonly [string, string][], added: readonly string[] = [], unit = '') =>
  reindent(
    pairs.map(([given, file]) => ({ given, file })),
    added,
    unit,
  )

describe('reindent', () => {
  it('leaves indentation alone that is the same', () => {
    expect(way([['  ', '  ']])?.('\t')).toBe('\t')
  })

  it('moves by the difference', () => {
    const right = way([['', '    ']])
    expect(right?.('  ')).toBe('      ')
    const left = way([
      ['    ', '  '],
      ['      ', '    '],
    ])
    expect(left?.('  ')).toBe('')
    expect(left?.('')).toBeUndefined()
  })

  it('changes the width of a step', () => {
    const wider = way([
      ['', ''],
      ['  ', '    '],
    ])
    expect(wider?.('    ')).toBe('        ')
    expect(
      way([
        ['', ''],
        ['    ', '  '],
      ])?.('   '),
    ).toBeUndefined()
  })

  it('turns blanks into tabs and tabs into blanks', () => {
    expect(
      way([
        ['    ', '\t'],
        ['        ', '\t\t'],
      ])?.('            '),
    ).toBe('\t\t\t')
    expect(way([['\t', '  ']], ['\t\t'])?.('\t\t')).toBe('    ')
    expect(way([['', '\t']], ['', '  '])?.('  ')).toBe('\t\t')
    expect(way([['', '  ']], ['\t'], '  ')?.('\t')).toBe('    ')
  })

  it('gives up where lines do not agree', () => {
    expect(
      way([
        ['  ', '  '],
        ['  ', '    '],
      ]),
    ).toBeUndefined()
    expect(
      way([
        ['', '  '],
        ['  ', '  '],
      ]),
    ).toBeUndefined()
    expect(
      way([
        ['', '  '],
        ['  ', ''],
      ]),
    ).toBeUndefined()
    expect(
      way([
        ['', ''],
        ['  ', '       '],
      ]),
    ).toBeUndefined()
  })

  it('only moves a mix of tabs and blanks as a whole', () => {
    expect(
      way([
        [' ', '\t '],
        ['  ', '\t  '],
      ])?.('   '),
    ).toBe('\t   ')
    expect(
      way([
        ['\t ', ' '],
        ['\t  ', '  '],
      ])?.('\t   '),
    ).toBe('   ')
    expect(way([['\t ', ' ']])?.('  ')).toBeUndefined()
    expect(way([['\t ', ' \t']])).toBeUndefined()
  })
})
