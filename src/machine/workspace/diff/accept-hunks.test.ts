import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acceptHunks } from './accept-hunks.ts'
import { hunksOf } from './hunks.ts'

const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd', '', 'e f'), { maxLength: 40 })
const text = fc.tuple(lines, fc.boolean()).map(([all, ends]) => all.join('\n') + (ends && all.length > 0 ? '\n' : ''))

describe('acceptHunks', () => {
  it('divides a change as its diff is divided: with all hunks it is the new text, with none the old', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const all = acceptHunks(before, after, () => true)
        const none = acceptHunks(before, after, () => false)
        expect(all.text).toBe(after)
        expect(none.text).toBe(before)
        expect(none.places).toEqual([])
        expect(all.hunks).toBe(hunksOf(before, after).text.match(/^@@ /gm)?.length ?? 0)
      }),
    )
  })

  it('changes exactly the accepted places, and names them by the lines of the old text', () => {
    const before = Array.from({ length: 30 }, (_, at) => `${at + 1}\n`).join('')
    const after = before.replace('2\n', 'two\n').replace('15\n', '').replace('28\n', '28\nmore\n')
    const { text: got, places } = acceptHunks(before, after, hunk => hunk !== 1)
    expect(got).toBe(before.replace('2\n', 'two\n').replace('28\n', '28\nmore\n'))
    expect(places).toEqual([
      { line: 2, lines: 1, old: '2\n', new: 'two\n' },
      { line: 29, lines: 0, old: '', new: 'more\n' },
    ])
  })
})
