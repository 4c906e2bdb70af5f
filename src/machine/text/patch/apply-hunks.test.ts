import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyHunks } from './apply-hunks.ts'
import { errorOf } from '../../../../tests/text/workspace-for-tests.ts'
import { parsePatch } from './parse-patch.ts'
import { processorMs } from '../../../../tests/processor-time.ts'

const hunksOf = (body: string) => parsePatch(`--- a/f\n+++ b/f\n${body}`)[0]?.hunks ?? []
const apply = (before: string, body: string, options: { fuzz?: number; reverse?: boolean } = {}) => {
  const { bytes, offsets, fuzz } = applyHunks(Buffer.from(before), hunksOf(body), {
    fuzz: 0,
    reverse: false,
    ...options,
  })
  return { text: bytes.toString(), offsets, fuzz }
}
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `${at + 1}\n`).join('')

describe('where a hunk goes', () => {
  it('takes the nearest place, and the later of two that are equally near', () => {
    const body = '@@ -4,3 +4,3 @@\n a\n-b\n+B\n c\n'
    expect(apply('x\na\nb\nc\ny\na\nb\nc\nz\n', body)).toMatchObject({
      text: 'x\na\nb\nc\ny\na\nB\nc\nz\n',
      offsets: [2],
    })
    expect(apply('a\nb\nc\nx\ny\nz\n', body).offsets).toEqual([-3])
  })

  it('keeps a hunk without leading or trailing context at its end of the file', () => {
    expect(errorOf(() => apply('x\na\nb\n', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n')).code).toBe('no_match')
    expect(errorOf(() => apply('a\nb\nx\n', '@@ -2,2 +2,2 @@\n a\n-b\n+B\n')).code).toBe('no_match')
    expect(apply('x\ny\nz\na\nb\n', '@@ -2,2 +2,2 @@\n a\n-b\n+B\n').offsets).toEqual([2])
  })

  it('puts a hunk without context on its line, or where its text is unique', () => {
    expect(apply(numbered(4), '@@ -2,0 +3 @@\n+x\n').text).toBe('1\n2\nx\n3\n4\n')
    expect(apply(numbered(4), '@@ -3 +2,0 @@\n-3\n').text).toBe('1\n2\n4\n')
    expect(apply(`0\n${numbered(4)}`, '@@ -3 +3 @@\n-3\n+x\n')).toMatchObject({ text: '0\n1\n2\nx\n4\n', offsets: [1] })
    expect(errorOf(() => apply('a\nb\na\n', '@@ -2 +2 @@\n-a\n+x\n'))).toMatchObject({
      code: 'ambiguous',
      details: { rule: 'place' },
    })
    expect(errorOf(() => apply('a\n', '@@ -7,0 +8 @@\n+x\n')).code).toBe('no_match')
  })

  it('matches no line that another hunk has touched', () => {
    const body = '@@ -1,4 +1,4 @@\n 1\n-2\n+two\n 3\n 4\n@@ -3,4 +3,4 @@\n 3\n-4\n+four\n 5\n 6\n'
    expect(errorOf(() => apply(numbered(10), body))).toMatchObject({ code: 'no_match', details: { hunk: 2, line: 3 } })
  })

  it('takes hunks out of order', () => {
    const body = '@@ -7,3 +7,3 @@\n 7\n-8\n+eight\n 9\n@@ -2,3 +2,3 @@\n 2\n-3\n+three\n 4\n'
    expect(apply(numbered(10), body).text).toBe('1\n2\nthree\n4\n5\n6\n7\neight\n9\n10\n')
  })
})

describe('bytes', () => {
  it('keeps line ends, missing last ones and bytes that are no text', () => {
    expect(apply('a\r\nb\nc\r\n', '@@ -1,3 +1,3 @@\n a\r\n-b\n+B\n c\r\n').text).toBe('a\r\nB\nc\r\n')
    const mark = '\\ No newline at end of file\n'
    expect(apply('a\nb', `@@ -1,2 +1,2 @@\n a\n-b\n${mark}+c\n${mark}`).text).toBe('a\nc')
    expect(apply('a\nb', `@@ -1,2 +1,3 @@\n a\n-b\n${mark}+b\n+c\n`).text).toBe('a\nb\nc\n')
    const before = Buffer.from([0xff, 0x0a, 0x61, 0x0a, 0x00, 0x0a])
    const body = Buffer.from('--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n \xff\n-a\n+\xe9\n \x00\n', 'latin1')
    const { bytes } = applyHunks(before, parsePatch(body)[0]?.hunks ?? [], { fuzz: 0, reverse: false })
    expect(bytes).toEqual(Buffer.from([0xff, 0x0a, 0xe9, 0x0a, 0x00, 0x0a]))
  })

  it('never joins lines where a hunk ends the file too early', () => {
    const body = '@@ -1,3 +1,3 @@\n 1\n-2\n+x\n 3\n\\ No newline at end of file\n'
    expect(errorOf(() => apply('1\n2\n3\nmore\n', body)).code).toBe('no_match')
    expect(apply('1\n2\n3', body).text).toBe('1\nx\n3')
  })

  it('takes back exactly what it did, for any two texts', () => {
    const line = fc.constantFrom('a\n', 'b\n', '\n', 'c\r\n', '- d\n')
    fc.assert(
      fc.property(
        fc.array(line),
        fc.array(line, { minLength: 1 }),
        fc.array(line),
        fc.array(line),
        (head, added, removed, tail) => {
          const before = [...head, ...removed, ...tail].join('')
          const mark = (sign: string, lines: string[]) => lines.map(text => sign + text).join('')
          const size = (first: number, count: number) => `${count === 0 ? first - 1 : first},${count}`
          const [old, now] = [removed, added].map(part => size(1, head.length + part.length + tail.length))
          const body = `@@ -${old} +${now} @@\n${mark(' ', head)}${mark('-', removed)}${mark('+', added)}${mark(' ', tail)}`
          const after = apply(before, body).text
          expect(after).toBe([...head, ...added, ...tail].join(''))
          expect(apply(after, body, { reverse: true }).text).toBe(before)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('fuzz', () => {
  const body = '@@ -3,5 +3,5 @@\n 3\n 4\n-5\n+five\n 6\n 7\n'
  const stale = numbered(9).replace('3', 'three')

  it('forgives outer context only where it is asked to, and says so', () => {
    expect(errorOf(() => apply(stale, body)).code).toBe('no_match')
    expect(apply(stale, body, { fuzz: 1 })).toMatchObject({ text: stale.replace('5', 'five'), fuzz: [1], offsets: [0] })
    expect(apply(numbered(9), body, { fuzz: 3 }).fuzz).toEqual([0])
  })

  it('refuses where the rest of the hunk fits twice', () => {
    expect(errorOf(() => apply(`${stale}${stale}`, body, { fuzz: 2 })).code).toBe('ambiguous')
  })

  it('forgives line ends of the whole hunk', () => {
    const crlf = body.replaceAll('\n', '\r\n').replace('@@\r\n', '@@\n')
    expect(apply(numbered(9), crlf, { fuzz: 1 }).text).toBe(numbered(9).replace('5', 'five'))
    expect(apply(numbered(9).replaceAll('\n', '\r\n'), body, { fuzz: 1 }).text).toContain('4\r\nfive\r\n6\r\n')
  })
})

describe('a hunk that does not fit', () => {
  it('is shown with the nearest text', () => {
    const error = errorOf(() => apply(`0\n${numbered(9)}`, '@@ -3,3 +3,3 @@\n 3\n-four\n+4\n 5\n'))
    expect(error.message).toBe("Hunk 1 does not apply to 'the file' at line 3")
    expect(error.details).toMatchObject({
      hunk: 1,
      line: 3,
      wanted: '3\nfour\n5\n',
      nearest: { from: 4, to: 6, text: '3\n4\n5\n' },
    })
  })

  it('is said to be applied where it is', () => {
    const error = errorOf(() => apply('a\nB\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'))
    expect(error.details).toMatchObject({ alreadyApplied: true })
  })

  it('ends a search that would not end', () => {
    const hunks = Array.from(
      { length: 300 },
      (_, at) => `@@ -${at * 3 + 5},3 +${at * 3 + 5},3 @@\n a\n-b\n+c\n a\n`,
    ).join('')
    const before = `${'a\n'.repeat(400_000)}${'a\nb\na\n'.repeat(400)}`
    const started = processorMs()
    expect(errorOf(() => apply(before, hunks)).code).toBe('too_large')
    expect(processorMs() - started).toBeLessThan(20_000)
  })

  it('is fast for many hunks in one large file', () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `line ${at}\n`)
    const hunks = Array.from({ length: 10_000 }, (_, at) => {
      const from = at * 10 + 2
      return `@@ -${from},3 +${from},3 @@\n line ${from - 1}\n-line ${from}\n+x\n line ${from + 1}\n`
    })
    const started = processorMs()
    expect(
      apply(lines.join(''), hunks.join(''))
        .text.split('\n')
        .filter(line => line === 'x'),
    ).toHaveLength(10_000)
    expect(processorMs() - started).toBeLessThan(5000)
  })
})
