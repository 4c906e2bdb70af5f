import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bound } from './limits.ts'

const keeping = (): { readonly kept: string[]; readonly keep: (whole: string) => string } => {
  const kept: string[] = []
  return { kept, keep: whole => `id${kept.push(whole)}` }
}
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

describe('bound', () => {
  it('leaves an answer that fits, and keeps nothing', () => {
    const { kept, keep } = keeping()
    const data = { content: 'x'.repeat(900) }
    expect(bound(data, { maxBytes: 1_000, keep })).toEqual({ data, cut: false, bytes: sizeOf(data) })
    expect(kept).toEqual([])
  })

  it('AA-11: cuts a long text to a preview, says how much is left and where, and gives the size before the cut', () => {
    const { kept, keep } = keeping()
    const content = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join('')
    const data = { path: 'a.txt', content, totalLines: 1_000, truncated: false }
    const answer = bound(data, { maxBytes: 2_000, preview: 500, keep })
    expect(answer).toMatchObject({
      cut: true,
      ref: 'id1',
      bytes: sizeOf(data),
      data: { path: 'a.txt', totalLines: 1_000, truncated: false },
    })
    expect(kept).toEqual([content])
    const text = Object(answer.data)['content']
    const [, head = '', left] = /^([^]*\n)… (\d+) more bytes in ref:id1$/.exec(text) ?? []
    expect(content.startsWith(head)).toBe(true)
    expect(Number(left)).toBe(content.length - head.length)
    expect(head.endsWith('\n')).toBe(true)
  })

  it('keeps the end of a text where that is wanted, in whole lines', () => {
    const { keep } = keeping()
    const stdout = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join('')
    const { data } = bound({ stdout }, { maxBytes: 2_000, preview: 500, keep, keepsEnd: true })
    const [, head = '', left, tail = ''] =
      /^([^]*\n)… (\d+) more bytes in ref:id1\n([^]*)$/.exec(Object(data)['stdout']) ?? []
    expect([stdout.startsWith(head), stdout.endsWith(tail)]).toEqual([true, true])
    expect(tail).toMatch(/^line \d+\n[^]*line 999\n$/)
    expect(Number(left)).toBe(stdout.length - head.length - tail.length)
  })

  it('cuts a list at its end and keeps the whole as readable JSON', () => {
    const { kept, keep } = keeping()
    const matches = Array.from({ length: 5_000 }, (_, line) => ({ path: 'src/a.ts', line, text: 'some text' }))
    const { data } = bound({ matches, total: 5_000 }, { maxBytes: 10_000, keep })
    const shown = Object(data)['matches']
    expect(shown.length).toBeGreaterThan(10)
    expect(shown).toEqual(matches.slice(0, shown.length))
    expect(Object(data)['total']).toBe(5_000)
    expect(JSON.parse(kept[0] ?? '')).toEqual({ matches, total: 5_000 })
    expect(kept[0]).toContain('\n')
  })

  it('says of a page that was cut that it is, and where it goes on', () => {
    const matches = Array.from({ length: 1_000 }, (_, line) => ({ path: 'src/a.ts', line, text: 'some text' }))
    const cut = (page: object, pages = true) => {
      const { data } = bound(
        { matches, files: [], ...page },
        { maxBytes: 10_000, keep: () => 'id', pages: () => pages },
      )
      expect(sizeOf(data)).toBeLessThanOrEqual(10_000)
      const { matches: shown, files: _, ...rest } = Object(data)
      return { rest, shown: shown.length }
    }
    const whole = cut({ total: 1_000, truncated: false })
    expect(whole.rest).toEqual({ total: 1_000, truncated: true, next: { skip: whole.shown } })
    const last = cut({ total: 1_500, truncated: false })
    expect(last.rest).toEqual({ total: 1_500, truncated: true, next: { skip: 500 + last.shown } })
    const second = cut({ total: 9_000, truncated: true, next: { skip: 4_000 } })
    expect(second.rest).toEqual({ total: 9_000, truncated: true, next: { skip: 3_000 + second.shown } })
    // Whoever has no pages is only told that there is more.
    expect(cut({ total: 1_000, truncated: false }, false).rest).toEqual({ total: 1_000, truncated: true })
    expect(cut({ truncated: false }).rest).toEqual({ truncated: true })
    const part = { total: 1_000, truncated: true, next: { from: 7, skip: 3 } }
    expect(cut(part).rest).toEqual(part)
    expect(cut({ total: 1_000 }).rest).toEqual({ total: 1_000 })
  })

  it('splits no character', () => {
    const { keep } = keeping()
    const { data } = bound('😀'.repeat(5_000), { maxBytes: 1_000, preview: 101, keep })
    expect(String(data).isWellFormed()).toBe(true)
  })

  it('always fits, and keeps the shape', () => {
    const leaf = fc.oneof(
      fc.string({ maxLength: 400, unit: fc.constantFrom('a', '\n', '"', 'é', '\u0001') }),
      fc.integer(),
      fc.boolean(),
    )
    const data = fc.record({
      content: leaf,
      list: fc.array(fc.record({ text: leaf, at: fc.nat() }), { maxLength: 60 }),
      deep: fc.array(fc.array(leaf)),
    })
    fc.assert(
      fc.property(data, answer => {
        const { keep } = keeping()
        const result = bound(answer, { maxBytes: 1_500, keep })
        expect(sizeOf(result.data)).toBeLessThanOrEqual(1_500)
        expect(Object.keys(Object(result.data))).toEqual(Object.keys(answer))
        expect(typeof Object(result.data)['content']).toBe(typeof answer.content)
        expect(result.cut).toBe(sizeOf(answer) > 1_500)
      }),
    )
  })

  it('cuts a map with very many keys', () => {
    const { keep } = keeping()
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, at]))
    expect(sizeOf(bound({ many }, { maxBytes: 5_000, keep }).data)).toBeLessThanOrEqual(5_000)
  })
})
