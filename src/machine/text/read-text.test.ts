import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encode, markOf, type Encoding } from './encoding.ts'
import { readText, type ReadOptions } from './read-text.ts'
import { errorOf, workspaceWith } from '../../../tests/text/workspace-for-tests.ts'

const runs = process.env['TOOLWRIGHT_LONG'] === '1' ? 5000 : 200

const read = (content: Buffer | string, options?: ReadOptions) => {
  using place = workspaceWith({ 'a.txt': content })
  return readText(place.ws, place.memory, 'a.txt', options)
}
const failure = (content: Buffer | string, options?: ReadOptions) => errorOf(() => read(content, options))

describe('readText', () => {
  it('CA-05: gives content, lines, size and the hash of the whole file', () => {
    expect(read('one\ntwo\n')).toEqual({
      path: 'a.txt',
      content: 'one\ntwo\n',
      from: 1,
      to: 2,
      totalLines: 2,
      lines: 2,
      bytes: 8,
      hash: createHash('sha256').update('one\ntwo\n').digest('hex'),
      encoding: 'utf-8',
      bom: false,
      eol: 'lf',
      truncated: false,
      binary: false,
    })
  })

  it('notes what was read for the guard against stale writes', () => {
    using place = workspaceWith({ 'src/a.txt': 'one\ntwo\n' })
    const { hash } = readText(place.ws, place.memory, './src/../src/a.txt', { lines: { from: 2 } })
    expect(place.memory.get('src/a.txt')).toBe(hash)
  })

  it('has no line in an empty file, and no line after a final newline', () => {
    expect(read('')).toMatchObject({ content: '', from: 1, to: 0, totalLines: 0, lines: 0, eol: 'none' })
    expect(read('', { lines: { from: 1, to: 10 } })).toMatchObject({ content: '', totalLines: 0 })
    expect(read('a')).toMatchObject({ totalLines: 1, eol: 'none' })
    expect(read('a\n\n')).toMatchObject({ totalLines: 2, to: 2 })
    expect(read('\ufeff')).toMatchObject({ content: '', totalLines: 0, bom: true, bytes: 3 })
  })

  it('CA-05: gives lines 1-based and inclusive, with their own ends', () => {
    const text = 'a\r\nb\nc\rd\ne'
    expect(read(text, { lines: { from: 2, to: 3 } })).toMatchObject({
      content: 'b\nc\rd\n',
      from: 2,
      to: 3,
      lines: 2,
      eol: 'mixed',
    })
    expect(read(text, { lines: { to: 1 } }).content).toBe('a\r\n')
    expect(read(text, { lines: { from: 4 } })).toMatchObject({ content: 'e', from: 4, to: 4 })
    expect(read(text, { lines: { from: 3, to: 40 } })).toMatchObject({ from: 3, to: 4, totalLines: 4 })
    expect(read('a\r\nb\r\n').eol).toBe('crlf')
  })

  it('CA-05: names the line count where the range is not there', () => {
    const twenty = 'x\n'.repeat(20)
    const error = failure(twenty, { lines: { from: 30, to: 40 } })
    expect(error.code).toBe('out_of_range')
    expect(error.message).toBe('Line range invalid - file has 20 lines, requested 30-40')
    expect(error.details).toEqual({ totalLines: 20, from: 30, to: 40 })
    for (const lines of [{ from: 0 }, { from: -1 }, { from: 5, to: 4 }, { from: 1.5 }, { from: 21 }, { to: 0 }])
      expect(failure(twenty, { lines }).code).toBe('out_of_range')
    expect(failure('', { lines: { from: 2 } }).code).toBe('out_of_range')
  })

  it('refuses a file above the limit before reading it', () => {
    const error = failure('x'.repeat(11), { refuseAbove: 10 })
    expect(error.code).toBe('too_large')
    expect(error.details).toMatchObject({ bytes: 11, limit: 10 })
    expect(read('x'.repeat(10), { refuseAbove: 10 }).bytes).toBe(10)
  })

  it('SC-07: cuts at a character and gives the size before the cut', () => {
    expect(read('a€b', { truncateAt: 4 })).toMatchObject({ content: 'a€', truncated: true, bytes: 5, to: 1 })
    expect(read('a€b', { truncateAt: 3 })).toMatchObject({ content: 'a', truncated: true })
    expect(read('a😀', { truncateAt: 4 }).content).toBe('a')
    expect(read('a😀', { truncateAt: 5 })).toMatchObject({ content: 'a😀', truncated: false })
    expect(read('a\nb\nc\n', { truncateAt: 3 })).toMatchObject({ content: 'a\nb', to: 2, lines: 2, totalLines: 3 })
    expect(read('abc', { truncateAt: 0 })).toMatchObject({ content: '', to: 0, lines: 0, truncated: true })
    const wide = Buffer.concat([markOf('utf-16le'), encode('a😀', 'utf-16le')])
    expect(read(wide, { truncateAt: 5 })).toMatchObject({ content: 'a', truncated: true })
  })

  it('cuts between lines where whole lines are wanted, unless the first is too long', () => {
    expect(read('aa\nbb\ncc\n', { truncateAt: 7, wholeLines: true })).toMatchObject({ content: 'aa\nbb\n', to: 2 })
    expect(read('aaaaaaaa\nb\n', { truncateAt: 4, wholeLines: true })).toMatchObject({ content: 'aaaa', to: 1 })
    expect(read('a\nbb\ncc\n', { truncateAt: 4, wholeLines: true, lines: { from: 2 } })).toMatchObject({
      content: 'bb\n',
      from: 2,
      to: 2,
      truncated: true,
    })
  })

  it('SC-07: says where what was cut goes on, within a line and between lines', () => {
    expect(read('ab\ncdefgh\nij\n', { truncateAt: 4, wholeLines: true })).toMatchObject({
      content: 'ab\n',
      next: { from: 2 },
    })
    const cut = read('ab\ncdefgh\nij\n', { truncateAt: 4, wholeLines: true, lines: { from: 2 } })
    expect(cut).toMatchObject({ content: 'cdef', from: 2, to: 2, next: { from: 2, skip: 4 } })
    const rest = read('ab\ncdefgh\nij\n', { truncateAt: 4, wholeLines: true, lines: { from: 2 }, skip: 4 })
    expect(rest).toMatchObject({ content: 'gh\n', from: 2, to: 2, next: { from: 3 } })
    expect(read('ab\n')).not.toHaveProperty('next')
  })

  it.each([3, 7, 9, 2 ** 40])('refuses to leave out %i bytes of a line that has fewer', skip => {
    expect(failure('ab\ncdef\n', { lines: { from: 1 }, skip }).code).toBe('out_of_range')
  })

  it('SC-07: every byte of a long line is reached, in every encoding, piece by piece', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 200 }),
        fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be'),
        fc.integer({ min: 4, max: 60 }),
        (text, encoding, truncateAt) => {
          const content = Buffer.concat([markOf(encoding), encode(text, encoding) ?? Buffer.alloc(0)])
          using place = workspaceWith({ 'a.txt': content })
          let next: { from: number; skip?: number } | undefined = { from: 1 }
          let all = ''
          while (next !== undefined) {
            const { skip = 0, from } = next
            const piece = readText(place.ws, place.memory, 'a.txt', { truncateAt, lines: { from }, skip })
            all += piece.content
            next = piece.next
          }
          expect(all).toBe(text)
          expect(place.memory.isWhole('a.txt')).toBe(true)
        },
      ),
      { numRuns: runs },
    )
  })

  it('CA-05: shows data as hex where that is wanted, and refuses it otherwise', () => {
    const data = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0', 'latin1'), Buffer.alloc(3000, 7)])
    expect(failure(data).code).toBe('binary')
    const shown = read(data, { binary: 'hex' })
    expect(shown).toMatchObject({ binary: true, truncated: true, bytes: 3009, lines: 0, encoding: 'binary' })
    expect(shown.content.startsWith('89 50 4e 47 0d 0a 1a 0a 00 07')).toBe(true)
    expect(Buffer.from(shown.content.replaceAll(/\s/g, ''), 'hex')).toEqual(data.subarray(0, 1024))
    expect(shown.hash).toBe(createHash('sha256').update(data).digest('hex'))
  })

  it('DA-04: reads what was asked for, or says that it is something else', () => {
    const latin = Buffer.from('caf\xe9\n', 'latin1')
    expect(failure(latin).code).toBe('binary')
    expect(failure(latin).message).toBe('a.txt is not valid UTF-8 (near byte 3)')
    expect(failure(latin, { encodings: ['utf-8', 'latin-1'] }).hint).toMatch('latin-1')
    expect(failure(latin, { encodings: ['utf-8', 'utf-16'] }).hint).toBe('Convert it to UTF-8 first.')
    expect(failure(latin).hint).toBe('Convert it to UTF-8 first.')
    expect(failure(latin, { encoding: 'utf-8' }).code).toBe('invalid_input')
    expect(read(latin, { encoding: 'latin-1' })).toMatchObject({ content: 'café\n', encoding: 'latin-1' })
    expect(failure('é', { encoding: 'ascii' }).code).toBe('invalid_input')
    expect(read('e', { encoding: 'ascii' }).encoding).toBe('ascii')
    expect(read(latin, { binary: 'hex' }).content).toBe('63 61 66 e9 0a\n')
    expect(read(encode('wide\n', 'utf-16le'), { encoding: 'utf-16' })).toMatchObject({
      content: 'wide\n',
      totalLines: 1,
    })
    const wide = encode('wide\n', 'utf-16le')
    expect(failure(wide, { encodings: ['utf-8', 'utf-16'] }).hint).toMatch('encoding: utf-16')
    expect(failure(wide).hint).toMatch('convert it to UTF-8')
  })

  it('sees what is staged', () => {
    using place = workspaceWith({ 'a.txt': 'old\n' })
    place.ws.put('a.txt', Buffer.from('new\n'))
    expect(readText(place.ws, place.memory, 'a.txt').content).toBe('new\n')
    expect(readText(place.open(), place.memory, 'a.txt').content).toBe('old\n')
  })

  it('passes on what the workspace refuses', () => {
    using place = workspaceWith({ 'src/a.txt': '' })
    expect(errorOf(() => readText(place.ws, place.memory, 'none.txt')).code).toBe('not_found')
    expect(errorOf(() => readText(place.ws, place.memory, 'src')).code).toBe('not_a_file')
    expect(errorOf(() => readText(place.ws, place.memory, '../a.txt')).code).toBe('outside_workspace')
  })

  it('gives exactly the lines that splitting the whole text gives, in every encoding and at every size', () => {
    const line = fc.tuple(fc.constantFrom('', 'x', 'Ċ ਊ ഊ', 'y\rz', '€'.repeat(90)), fc.constantFrom('\n', '\r\n'))
    const encodings: readonly Encoding[] = ['utf-8', 'utf-16le', 'utf-16be']
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 30 }),
        fc.constantFrom(...encodings),
        fc.constantFrom('', 'end'),
        fc.constantFrom(1, 300),
        fc.nat(),
        fc.nat(),
        (parts, encoding, last, times, a, b) => {
          const text =
            parts
              .map(part => part.join(''))
              .join('')
              .repeat(times) + last
          const expected = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
          const bytes = Buffer.concat([markOf(encoding), encode(text, encoding)])
          if (expected.length === 0) return
          const from = 1 + (a % expected.length)
          const to = from + (b % (expected.length - from + 1))
          const got = read(bytes, { lines: { from, to } })
          expect(got.content).toBe(expected.slice(from - 1, to).join(''))
          expect(got).toMatchObject({ from, to, totalLines: expected.length, encoding, bytes: bytes.length })
        },
      ),
      { numRuns: runs },
    )
  })

  it('finds line ends that lie across the blocks it reads', () => {
    for (const size of [262_143, 262_144, 262_145]) {
      const text = `${'x'.repeat(size - 1)}\r\nlast\r\n`
      expect(read(text, { lines: { from: 2 } })).toMatchObject({ content: 'last\r\n', totalLines: 2, eol: 'crlf' })
    }
  })
})

describe('a range of a big file', () => {
  const lines = Array.from({ length: 200_000 }, (_, i) => `line ${i + 1} with some text that makes it longer\n`)

  it('is the same once the places of its lines are known, and never told by old ones', async () => {
    const text = lines.join('')
    using place = workspaceWith({ 'big.txt': text })
    await setTimeout(80)
    const range = { lines: { from: 150_123, to: 150_140 } }
    const wanted = lines.slice(150_122, 150_140).join('')
    expect(readText(place.ws, place.memory, 'big.txt', range)).toMatchObject({ content: wanted, totalLines: 200_000 })
    expect(readText(place.ws, place.memory, 'big.txt', range).content).toBe(wanted)

    writeFileSync(place.onDisk('big.txt'), text.replaceAll('line 1', 'LINE 1'))
    expect(readText(place.ws, place.memory, 'big.txt', range).content).toBe(wanted.replaceAll('line 1', 'LINE 1'))
  })
})
