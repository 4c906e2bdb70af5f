import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, detectEncoding, encode, isBinary, markOf, tryDecode, type Encoding } from './encoding.ts'
import { bytesOf, isSingleByte, textOf } from './file-text.ts'
import { errorOf } from '../../../tests/text/workspace-for-tests.ts'

const ALL: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be', 'latin-1', 'ascii']
const runs = process.env['TOOLWRIGHT_LONG'] === '1' ? 20_000 : 500

describe('detectEncoding', () => {
  it('goes by the byte order mark', () => {
    expect(detectEncoding(Buffer.from('\ufeffa', 'utf8'))).toEqual({ encoding: 'utf-8', bom: true })
    expect(detectEncoding(Buffer.from([0xff, 0xfe, 0x61, 0]))).toEqual({ encoding: 'utf-16le', bom: true })
    expect(detectEncoding(Buffer.from([0xfe, 0xff, 0, 0x61]))).toEqual({ encoding: 'utf-16be', bom: true })
    expect(detectEncoding(Buffer.from('a'))).toEqual({ encoding: 'utf-8', bom: false })
    expect(detectEncoding(Buffer.alloc(0))).toEqual({ encoding: 'utf-8', bom: false })
  })

  it('takes the order of an asked-for utf-16 from the mark, little endian without one', () => {
    expect(detectEncoding(Buffer.from([0xfe, 0xff]), 'utf-16')).toEqual({ encoding: 'utf-16be', bom: true })
    expect(detectEncoding(Buffer.from([0x61, 0]), 'utf-16')).toEqual({ encoding: 'utf-16le', bom: false })
  })

  it('does what was asked for where the mark says otherwise', () => {
    expect(detectEncoding(Buffer.from([0xff, 0xfe]), 'utf-8')).toEqual({ encoding: 'utf-8', bom: false })
    expect(detectEncoding(Buffer.from('\ufeffa', 'utf8'), 'latin-1')).toEqual({ encoding: 'latin-1', bom: false })
  })
})

describe('isBinary', () => {
  const of = (bytes: Buffer) => isBinary(bytes, detectEncoding(bytes))

  it('is a NUL in the first 8 KB', () => {
    expect(of(Buffer.from('a\0b'))).toBe(true)
    expect(of(Buffer.concat([Buffer.alloc(8191, 97), Buffer.from([0])]))).toBe(true)
    expect(of(Buffer.concat([Buffer.alloc(8192, 97), Buffer.from([0])]))).toBe(false)
    expect(of(Buffer.from('text'))).toBe(false)
  })

  it('is not UTF-16 with a mark, but UTF-32', () => {
    expect(of(Buffer.from([0xff, 0xfe, 0x61, 0]))).toBe(false)
    expect(of(Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]))).toBe(true)
  })
})

describe('decode and encode', () => {
  it('go back to the same bytes wherever bytes are accepted', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(...ALL), (array, encoding) => {
        const bytes = Buffer.from(array)
        const text = tryDecode(bytes, encoding)
        if (text !== undefined) expect(encode(text, encoding)).toEqual(bytes)
      }),
      { numRuns: runs },
    )
  })

  it('go back to the same text wherever it can be expressed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'), (text, encoding) => {
        expect(decode(encode(text, encoding), encoding)).toBe(text)
      }),
      { numRuns: runs },
    )
  })

  it('never put a replacement character for a byte that is not valid', () => {
    const bad: [Encoding, number[], number][] = [
      ['utf-8', [0x61, 0xe9, 0x62], 1],
      ['utf-8', [0xc0, 0x80], 0],
      ['utf-8', [0x61, 0xed, 0xa0, 0x80], 1],
      ['utf-8', [0x61, 0xe2, 0x82], 1],
      ['ascii', [0x61, 0x80], 1],
      ['utf-16le', [0x61], 0],
      ['utf-16le', [0x61, 0, 0, 0xd8], 2],
      ['utf-16be', [0, 0x61, 0xdc, 0], 2],
    ]
    for (const [encoding, bytes, offset] of bad) {
      const error = errorOf(() => decode(Buffer.from(bytes), encoding))
      expect(error.code).toBe('invalid_input')
      expect(error.details).toMatchObject({ encoding, offset })
      expect(error.hint).toBe('Convert it to UTF-8 first.')
    }
  })

  it('name the character that an encoding does not have', () => {
    const error = errorOf(() => encode('price: 5 €', 'latin-1'))
    expect(error.code).toBe('invalid_input')
    expect(error.message).toBe('Latin-1 cannot express "€" (U+20AC), character 10 of the text')
    expect(errorOf(() => encode('é', 'ascii')).message).toMatch('U+00E9')
    expect(errorOf(() => encode('a\ud800', 'utf-8')).message).toBe(
      'UTF-8 cannot express half a character (U+D800), character 2 of the text',
    )
  })
})

describe('textOf', () => {
  it('keeps the mark out of the text and puts it back', () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be'] as const) {
      const bytes = Buffer.concat([markOf(encoding), encode('a\ufeffü\r\n', encoding)])
      const file = textOf('a', bytes)
      expect(file).toEqual({ encoding, bom: true, text: 'a\ufeffü\r\n' })
      expect(bytesOf(file.text, file)).toEqual(bytes)
    }
  })

  it('reads bytes that are no UTF-8 one to one, and knows Latin-1 from damaged UTF-8', () => {
    const latin = textOf('a', Buffer.from('caf\xe9', 'latin1'))
    expect(latin).toEqual({ encoding: 'latin-1', bom: false, text: 'café', guessed: true })
    expect(isSingleByte(latin)).toBe(true)
    expect(isSingleByte(textOf('a', Buffer.concat([Buffer.from('café'), Buffer.from([0xff])])))).toBe(false)
  })

  it('refuses data, and text that is not in the encoding asked for', () => {
    expect(errorOf(() => textOf('a.png', Buffer.from('\x89PNG\0'))).code).toBe('binary')
    expect(errorOf(() => textOf('a', Buffer.from([0xe9]), 'utf-8')).code).toBe('invalid_input')
  })
})
