import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backwards, forwards, type Line } from './lines.ts'

let dir = ''
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'toolwright-lines-'))
})
afterAll(() => rmSync(dir, { recursive: true }))

describe('lines', () => {
  it('are the same read forwards and backwards, with any size of buffer', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ maxLength: 30 }).map(text => text.replaceAll('\n', '')),
          { maxLength: 12 },
        ),
        fc.boolean(),
        fc.integer({ min: 1, max: 64 }),
        (texts, ended, chunk) => {
          const content = texts.join('\n') + (ended && texts.length > 0 ? '\n' : '')
          const file = join(dir, 'file')
          writeFileSync(file, content)
          const fd = openSync(file, 'r')
          const plain = ({ bytes, start, end, whole }: Line) => ({ text: bytes.toString(), start, end, whole })
          try {
            const ahead = Array.from(forwards(fd, 0, chunk), plain)
            const back = Array.from(backwards(fd, Buffer.byteLength(content), chunk), plain)
            expect(back.toReversed()).toEqual(ahead)
            expect(ahead.map(line => line.text + (line.whole ? '\n' : '')).join('')).toBe(content)
            expect(ahead.slice(0, -1).every(line => line.whole)).toBe(true)
          } finally {
            closeSync(fd)
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})
