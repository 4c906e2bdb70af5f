import { describe, expect, it } from 'vitest'
import { keepEnds, withinBytes } from './output.ts'

const kept = (half: number, ...chunks: readonly (string | Buffer)[]) => {
  const output = keepEnds(half)
  for (const chunk of chunks) output.push(Buffer.from(chunk))
  return output
}

describe('keepEnds', () => {
  it('keeps all of what fits, in however many pieces it comes', () => {
    const output = kept(4, 'ab', 'cd', 'efg', 'h')
    expect([output.text(), output.bytes, output.truncated]).toEqual(['abcdefgh', 8, false])
    expect(kept(4).text()).toBe('')
  })

  it('leaves out the middle of more, and says how much', () => {
    const output = kept(4, 'abc', 'defghi', 'jk', 'lmnopqrst')
    expect([output.text(), output.bytes, output.truncated]).toEqual(['abcd\n[… 12 bytes left out …]\nqrst', 20, true])
  })

  it('counts all lines, those that are left out and one without an end too', () => {
    expect(kept(2, 'a\nb', '\n\nc\n', 'd').lines).toBe(5)
    expect(kept(2, 'a\n').lines).toBe(1)
    expect(kept(2).lines).toBe(0)
  })

  it('cuts no character in half, and replaces what is none', () => {
    expect(kept(4, 'abcü', 'xyz', 'üde').text()).toBe('abc\n[… 4 bytes left out …]\nüde')
    expect(kept(8, Buffer.of(0x61, 0xff, 0x62)).text()).toBe('a�b')
  })

  it('holds no more than the two ends, whatever passes through', () => {
    const output = keepEnds(1024)
    for (let count = 0; count < 20_000; count++) output.push(Buffer.alloc(100, 'x'))
    expect(output.bytes).toBe(2_000_000)
    expect(output.text().length).toBeLessThan(2200)
  })
})

describe('withinBytes', () => {
  const sizes = ({ stdout, stderr }: ReturnType<typeof withinBytes>) =>
    [stdout, stderr].map(text => Buffer.byteLength(text))

  it('gives both streams whole where they fit', () => {
    expect(withinBytes(kept(8, 'abc'), kept(8, 'de'), 5)).toEqual({ stdout: 'abc', stderr: 'de' })
  })

  it('ends at a whole character', () => {
    expect(withinBytes(kept(8, Buffer.from('ab😀').subarray(0, 5)), kept(8), 5)).toEqual({ stdout: 'ab', stderr: '' })
    expect(withinBytes(kept(8, 'abü'), kept(8), 3)).toEqual({ stdout: 'ab', stderr: '' })
  })

  it('counts what is shown: bytes that are no text, and the words about what was left out', () => {
    const broken = Buffer.alloc(10, 0xff)
    expect(sizes(withinBytes(kept(8, broken), kept(8, broken), 20))).toEqual([9, 9])
    expect(sizes(withinBytes(kept(8, broken), kept(8, 'err'), 13))).toEqual([9, 3])
    expect(sizes(withinBytes(kept(8, 'out'), kept(8, broken), 13))).toEqual([3, 9])
    expect(sizes(withinBytes(kept(8, 'x'.repeat(20)), kept(8), 20))).toEqual([20, 0])
  })
})
