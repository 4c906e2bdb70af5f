import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bound } from './limits.ts'

const keeping = (): { readonly kept: string[]; readonly keep: (whole: string) => string } => {
  const kept: string[] = []
  return { kept, keep: whole => `id${kept.push(whole)}` }
}
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const within =
  (bytes: number) =>
  (value: unknown): boolean =>
    sizeOf(value) <= bytes

describe('bound', () => {
  it('leaves an answer that fits, and keeps nothing', async () => {
    const { kept, keep } = keeping()
    const data = { content: 'x'.repeat(900) }
    expect(await bound(data, { fits: within(1_000), keep })).toEqual({ data, cut: false, bytes: sizeOf(data) })
    expect(kept).toEqual([])
  })

  it('AA-11: cuts a long text to a preview, says how much is left and where, and gives the size before the cut', async () => {
    const { kept, keep } = keeping()
    const content = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join('')
    const data = { path: 'a.txt', content, totalLines: 1_000, truncated: false }
    const answer = await bound(data, { fits: within(2_000), keep })
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

  it('keeps the end of a text where that is wanted, in whole lines', async () => {
    const { keep } = keeping()
    const stdout = Array.from({ length: 1_000 }, (_, at) => `line ${at}\n`).join('')
    const { data } = await bound({ stdout }, { fits: within(2_000), keep, keepsEnd: true })
    const [, head = '', left, tail = ''] =
      /^([^]*\n)… (\d+) more bytes in ref:id1\n([^]*)$/.exec(Object(data)['stdout']) ?? []
    expect([stdout.startsWith(head), stdout.endsWith(tail)]).toEqual([true, true])
    expect(tail).toMatch(/^line \d+\n[^]*line 999\n$/)
    expect(Number(left)).toBe(stdout.length - head.length - tail.length)
  })

  it('cuts a list at its end and keeps the whole as readable JSON', async () => {
    const { kept, keep } = keeping()
    const matches = Array.from({ length: 5_000 }, (_, line) => ({ path: 'src/a.ts', line, text: 'some text' }))
    const { data } = await bound({ matches, total: 5_000 }, { fits: within(10_000), keep })
    const shown = Object(data)['matches']
    expect(shown.length).toBeGreaterThan(10)
    expect(shown).toEqual(matches.slice(0, shown.length))
    expect(Object(data)['total']).toBe(5_000)
    expect(JSON.parse(kept[0] ?? '')).toEqual({ matches, total: 5_000 })
    expect(kept[0]).toContain('\n')
  })

  it('shortens lists before texts, and gives nearly all that fits', async () => {
    const { keep } = keeping()
    const text = 'word '.repeat(60)
    const matches = Array.from({ length: 800 }, (_, line) => ({ path: 'a.txt', line, text }))
    const { data } = await bound({ matches, total: 800 }, { fits: within(40_000), keep })
    expect(Object(data)['matches']).toEqual(matches.slice(0, Object(data)['matches'].length))
    expect(sizeOf(data)).toBeGreaterThan(39_000)
    const { data: cut } = await bound({ stdout: 'line\n'.repeat(9_000) }, { fits: within(40_000), keep })
    expect(sizeOf(cut)).toBeGreaterThan(39_000)
  })

  it('cuts a text that is one line within it, also in a list', async () => {
    const { keep } = keeping()
    const [first, ...others] = [{ text: 'x'.repeat(9_000) }, { text: 'short' }, { text: 'other' }]
    const { data } = await bound({ matches: [first, ...others] }, { fits: within(5_000), keep })
    const [cut, ...kept] = Object(data)['matches']
    expect(kept).toEqual(others)
    expect(cut.text).toMatch(/^x{4,} … \d+ more bytes in ref:id1$/)
    expect(sizeOf(data)).toBeGreaterThan(4_800)
  })

  it('keeps several long texts as one that can be read by lines', async () => {
    const { kept, keep } = keeping()
    const [stdout, stderr] = ['out "1"\n'.repeat(1_000), 'err\n'.repeat(2_000)]
    await bound({ exitCode: 0, stdout, stderr }, { fits: within(2_000), keep })
    expect(kept).toEqual([`stdout:\n${stdout}stderr:\n${stderr}`])
    const changed = Array.from({ length: 500 }, (_, at) => `src/file-${at}.ts`)
    await bound({ transaction: 't', changed, diff: stdout }, { fits: within(2_000), keep })
    expect(kept[1]).toBe(`changed:\n${changed.join('\n')}\ndiff:\n${stdout}`)
  })

  it('says of a page that was cut that it is, and where it goes on', async () => {
    const matches = Array.from({ length: 1_000 }, (_, line) => ({ path: 'src/a.ts', line, text: 'some text' }))
    const cut = async (page: object, pages = true) => {
      const { data } = await bound(
        { matches, files: [], ...page },
        { fits: within(10_000), keep: () => 'id', pages: () => pages },
      )
      expect(sizeOf(data)).toBeLessThanOrEqual(10_000)
      const { matches: shown, files: _, ...rest } = Object(data)
      return { rest, shown: shown.length }
    }
    const whole = await cut({ total: 1_000, truncated: false })
    expect(whole.rest).toEqual({ total: 1_000, truncated: true, next: { skip: whole.shown } })
    const last = await cut({ total: 1_500, truncated: false })
    expect(last.rest).toEqual({ total: 1_500, truncated: true, next: { skip: 500 + last.shown } })
    const second = await cut({ total: 9_000, truncated: true, next: { skip: 4_000 } })
    expect(second.rest).toEqual({ total: 9_000, truncated: true, next: { skip: 3_000 + second.shown } })
    // An answer without pages only says that there is more.
    expect((await cut({ total: 1_000, truncated: false }, false)).rest).toEqual({ total: 1_000, truncated: true })
    expect((await cut({ truncated: false })).rest).toEqual({ truncated: true })
    const part = { total: 1_000, truncated: true, next: { from: 7, skip: 3 } }
    expect((await cut(part)).rest).toEqual(part)
    expect((await cut({ total: 1_000 })).rest).toEqual({ total: 1_000 })
  })

  it('splits no character', async () => {
    const { keep } = keeping()
    for (const bytes of [1_000, 1_001, 1_002, 1_003]) {
      const { data } = await bound('😀'.repeat(5_000), { fits: within(bytes), keep })
      expect(String(data).isWellFormed()).toBe(true)
    }
  })

  it('always fits, and keeps the shape', async () => {
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
    await fc.assert(
      fc.asyncProperty(data, async answer => {
        const { keep } = keeping()
        const result = await bound(answer, { fits: within(1_500), keep })
        expect(sizeOf(result.data)).toBeLessThanOrEqual(1_500)
        expect(Object.keys(Object(result.data))).toEqual(Object.keys(answer))
        expect(typeof Object(result.data)['content']).toBe(typeof answer.content)
        expect(result.cut).toBe(sizeOf(answer) > 1_500)
      }),
    )
  })

  it('cuts a map with very many keys', async () => {
    const { keep } = keeping()
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, at]))
    expect(sizeOf((await bound({ many }, { fits: within(5_000), keep })).data)).toBeLessThanOrEqual(5_000)
  })
})
