import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeBase85 } from './parse-binary.ts'
import { applyDelta, deltaResultSize } from './git-delta.ts'

describe('a delta of git', () => {
  const source = Buffer.from('hello, world')

  it('copies pieces of the source and adds new bytes', () => {
    const delta = Buffer.from([12, 9, 0x90, 5, 4, 0x20, 0x26, 0x2d, 0x3e])
    expect(deltaResultSize(delta)).toBe(9)
    expect(applyDelta(source, delta)?.toString()).toBe('hello &->')
  })

  it.each([
    ['is for another source', [11, 9, 0x90, 5, 4, 0x20, 0x26, 0x2d, 0x3e]],
    ['makes less than it says', [12, 10, 0x90, 5, 4, 0x20, 0x26, 0x2d, 0x3e]],
    ['makes more than it says', [12, 8, 0x90, 5, 4, 0x20, 0x26, 0x2d, 0x3e]],
    ['copies from behind the end', [12, 5, 0x91, 10, 5]],
    ['ends within a command', [12, 5, 0x91, 10]],
    ['has a command that there is not', [12, 5, 0, 0]],
    ['is too short', [12, 5, 0]],
  ])('is refused where it %s', (_, bytes) => {
    expect(applyDelta(source, Buffer.from(bytes))).toBeUndefined()
  })

  it('gives what it promised or nothing, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), bytes => {
        const delta = Buffer.from([12, ...bytes])
        const size = deltaResultSize(delta) ?? 0
        fc.pre(size < 1_000_000)
        expect([undefined, size]).toContain(applyDelta(source, delta)?.length)
      }),
    )
  })
})

describe('base 85', () => {
  it('gives four bytes for five digits, and nothing for what is none', () => {
    expect(decodeBase85('~~~~~', 4)).toBeUndefined()
    expect(decodeBase85('0000"', 4)).toBeUndefined()
    expect(decodeBase85('00001', 3)).toEqual(Buffer.from([0, 0, 0]))
    expect(decodeBase85('|NsC0', 4)).toEqual(Buffer.from([255, 255, 255, 255]))
  })
})
