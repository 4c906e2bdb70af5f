import { describe, expect, it } from 'vitest'
import { answerLines, headline } from './answer.ts'
import type { Style } from './paint.ts'

const plain: Style = { paint: (_colour, text) => text }

describe('headline', () => {
  it.each([
    ['a list', { files: ['a', 'b'], total: 2 }, 'tool (2 files)'],
    ['one of a list', { matches: [{}] }, 'tool (1 match)'],
    ['a whole list', { entries: [1, 2], total: 2 }, 'tool (2 entries)'],
    ['a part of a list', { entries: [1, 2], total: 3 }, 'tool (2 entries, total 3)'],
    ['an empty list', { entries: [], ignored: 0 }, 'tool (0 entries)'],
    ['an empty list beside another', { matches: [], files: ['a'] }, 'tool (1 file)'],
    ['what was not done', { applied: false, partial: false }, 'tool (not applied)'],
    ['names of two words', { filesSearched: 3, size_bytes: 4 }, 'tool (files searched 3, size bytes 4)'],
    ['a sentence of a document', { output: 'Created it\nmore' }, 'Created it'],
    ['a list as the whole answer', [{}, {}], 'tool (2 found)'],
    ['nothing', undefined, 'tool'],
  ])('of %s', (_what, data, expected) => {
    expect(headline('tool', data)).toBe(expected)
  })

  it('counts no cut list as if it were whole', () => {
    expect(headline('tool', { symbols: [1, 2], truncated: true })).toBe('tool (the first 2 symbols)')
    expect(headline('tool', { symbols: [1, 2], truncated: false })).toBe('tool (2 symbols)')
    expect(headline('tool', { matches: [1], truncated: true, total: 9 })).toBe('tool (1 match, total 9)')
    expect(headline('tool', { paths: ['a', 'b'] }, true)).toBe('tool (the first 2 paths)')
    expect(headline('tool', { paths: ['a'] }, true)).toBe('tool (the first path)')
  })
})

describe('answerLines', () => {
  it('shows several parts under their names, and the only one without', async () => {
    expect(await answerLines({ files: ['a', 'b'] }, plain)).toEqual(['a', 'b'])
    expect(await answerLines({ files: ['a', 'b'], unread: ['c'] }, plain)).toEqual([
      'files:',
      '  a',
      '  b',
      'unread: c',
    ])
    expect(await answerLines({ content: 'x\n', from: 9, exports: ['x'] }, plain)).toEqual(['9  x', '', 'exports: x'])
  })

  it('keeps a sentence that is too long for the first line', async () => {
    const why = 'The language server still loads the project, so that something may be missing'
    expect(await answerLines({ places: [], why }, plain)).toEqual([`why: ${why}`])
  })

  it('says nothing twice', async () => {
    const item = { id: 'step-1', content: 'Look' }
    expect(await answerLines({ items: [item], currentItem: item }, plain)).toHaveLength(2)
    expect(await answerLines({ changed: ['a.ts'] }, plain, ['a.ts'])).toEqual([])
  })

  it('counts what is left of a list that holds only the first', async () => {
    const first = [{ path: 'a.ts', line: 1, column: 2, code: 'TS1', message: 'No\nmore' }]
    expect(await answerLines({ effects: { summary: 'one', introduced: { total: 3, first } } }, plain)).toEqual([
      'summary: one',
      'introduced:',
      '  a.ts:1:2 TS1 No',
      '  and 2 more',
    ])
  })

  it('shows the text of a document as it is, and a text that is the whole answer', async () => {
    expect(await answerLines({ output: 'Contents of .:\n  a\n  b\n', files: ['x'] }, plain)).toEqual(['  a', '  b'])
    expect(await answerLines('a\x1b[2J\n', plain)).toEqual([String.raw`a\x1b[2J`])
  })
})
