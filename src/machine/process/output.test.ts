import { describe, expect, it } from 'vitest'
import { keepPrinted, shownOutput, storeOutput, withinBytes } from './output.ts'

const stored = (...chunks: readonly (string | Buffer)[]) => {
  const output = storeOutput()
  for (const chunk of chunks) output.push(Buffer.from(chunk))
  return output
}

describe('storeOutput', () => {
  it('stores all of it, in however many pieces it comes', () => {
    expect(stored('ab', 'cd', '', 'efg', 'h').whole().toString()).toBe('abcdefgh')
    expect(stored().whole()).toHaveLength(0)
    const many = stored(...Array.from({ length: 30_000 }, (_, at) => `${at}\n`))
    expect(many.whole().toString()).toBe(Array.from({ length: 30_000 }, (_, at) => `${at}\n`).join(''))
  })

  it('counts lines, one without an end too', () => {
    expect(stored('a\nb', '\n\nc\n', 'd').lines).toBe(5)
    expect(stored('a\n').lines).toBe(1)
    expect(stored().lines).toBe(0)
  })
})

describe('shownOutput', () => {
  const shown = (text: string | Buffer, half: number) => shownOutput(Buffer.from(text), { half, ref: 'ref:0123' })

  it('shows all of what fits', () => {
    expect(shown('abcdefgh', 4)).toEqual({ text: 'abcdefgh', leftOut: 0 })
    expect(shown(Buffer.of(0x61, 0xff, 0x62), 4).text).toBe('a�b')
  })

  it('leaves out the middle of more, and says how much and where it is', () => {
    expect(shown('abcdefghijklmnopqrst', 4)).toEqual({
      text: 'abcd\n… 12 more bytes in ref:0123\nqrst',
      leftOut: 12,
    })
    expect(shownOutput(Buffer.from('abcdefgh'), { half: 2 }).text).toBe('ab\n… 4 more bytes\ngh')
  })

  it('cuts at whole lines where there are any, and never inside a character', () => {
    expect(shown('one\ntwo\nthree\nfour\nfive\n', 9).text).toBe('one\ntwo\n… 11 more bytes in ref:0123\nfive\n')
    expect(shown('abcüxyzüde', 4).text).toBe('abc\n… 5 more bytes in ref:0123\nüde')
  })
})

describe('keepPrinted', () => {
  const printed = (out: string | Buffer, most?: number) => {
    const kept: Buffer[] = []
    const keep = (bytes: Buffer) => `ref:${kept.push(Buffer.from(bytes))}`
    return { ...keepPrinted(stored(out), stored('err\n'), { keep, most }).printed, stored: kept.map(String) }
  }

  it('stores nothing of a short text that has every byte', () => {
    expect(printed('out\n')).toEqual({ stdout: 'out\n', stderr: 'err\n', stored: [] })
  })

  it.each([
    ['a colour', '\u001b[31mred\u001b[0m\n', 'red\n'],
    ['a NUL', 'a\0b\0', 'a␀b␀'],
  ])('stores the bytes of %s, and shows plain text', (_, out, stdout) => {
    expect(printed(out)).toMatchObject({ stdout, outputNotes: [expect.stringContaining('ref:1')], stored: [out] })
  })

  it('stores what is long enough to be cut by others', () => {
    const long = 'line\n'.repeat(5_000)
    expect(printed(long)).toEqual({
      stdout: long,
      stderr: 'err\n',
      kept: { stdout: { ref: 'ref:1', bytes: 25_000 } },
      stored: [long],
    })
  })
})

describe('withinBytes', () => {
  const sizes = ({ stdout, stderr }: ReturnType<typeof withinBytes>) =>
    [stdout, stderr].map(text => Buffer.byteLength(text))

  it('gives both texts whole where they fit', () => {
    expect(withinBytes('abc', 'de', 5)).toEqual({ stdout: 'abc', stderr: 'de' })
  })

  it('ends at a whole character', () => {
    expect(withinBytes('ab😀', '', 5)).toEqual({ stdout: 'ab', stderr: '' })
    expect(withinBytes('abü', '', 3)).toEqual({ stdout: 'ab', stderr: '' })
  })

  it('gives each half of the room, and what the other leaves', () => {
    const broken = '�'.repeat(10)
    expect(sizes(withinBytes(broken, broken, 20))).toEqual([9, 9])
    expect(sizes(withinBytes(broken, 'err', 13))).toEqual([9, 3])
    expect(sizes(withinBytes('out', broken, 13))).toEqual([3, 9])
  })
})
