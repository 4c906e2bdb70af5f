import { describe, expect, it } from 'vitest'
import { searchableText } from './searchable-text.ts'

const shown = (...bytes: number[]): string | undefined => searchableText(Buffer.from(bytes))?.toString()

describe('what is searched of a file', () => {
  it('is its bytes', () => {
    expect(shown(0x61, 0xff, 0x0a)).toBe('a\ufffd\n')
    expect(shown()).toBe('')
  })

  it('begins behind the mark of UTF-8', () => {
    expect(shown(0xef, 0xbb, 0xbf, 0x61)).toBe('a')
  })

  it('is UTF-8 where a mark says UTF-16, of either order', () => {
    expect(shown(0xff, 0xfe, 0x61, 0x00, 0xe9, 0x00)).toBe('aé')
    expect(shown(0xfe, 0xff, 0x00, 0x61, 0x00, 0xe9)).toBe('aé')
    expect(shown(0xff, 0xfe, 0x3d, 0xd8, 0x61, 0x00, 0x62)).toBe('\ufffda\ufffd')
  })

  it('is nothing of a file with a NUL, wherever that is', () => {
    expect(shown(0x61, 0x00)).toBeUndefined()
    expect(shown(0xff, 0xfe, 0x61, 0x00, 0x00, 0x00)).toBeUndefined()
    expect(searchableText(Buffer.concat([Buffer.alloc(200_000, 'a\n'), Buffer.alloc(1)]))).toBeUndefined()
  })
})
