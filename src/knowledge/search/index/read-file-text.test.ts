import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileReader } from './read-file-text.ts'

let folder = ''
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-reader-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const LINES = Array.from({ length: 50_000 }, (_, at) => `line ${at} of it\n`).join('')

describe('a part of a text that was read before', () => {
  it.each([
    ['plain', Buffer.from(LINES)],
    ['with a byte order mark', Buffer.from(`\uFEFF${LINES}`)],
    ['in UTF-16LE', Buffer.from(`\uFEFF${LINES}`, 'utf16le')],
    ['in UTF-16BE', Buffer.from(`\uFEFF${LINES}`, 'utf16le').swap16()],
    ['of one byte', Buffer.from('x')],
  ])('is the same part, %s', (_, bytes) => {
    writeFileSync(join(folder, 'a.txt'), bytes)
    const reader = fileReader(folder)
    const read = reader.read('a.txt')
    const [text, stamp] = [Buffer.from(read?.text ?? ''), read?.stamp ?? '']
    expect(text.toString()).toBe(bytes.length === 1 ? 'x' : LINES)
    for (const [from, to] of [
      [0, 1],
      [0, text.length],
      [text.length >> 1, text.length],
      [text.length >> 2, text.length >> 1],
    ] as const)
      expect(reader.readPart({ path: 'a.txt', stamp }, from, to)).toEqual(text.subarray(from, to))
  })

  it.each<[string, (file: string) => void]>([
    ['was written again with as many bytes', file => writeFileSync(file, LINES.replace('line', 'LINE'))],
    ['was cut short', file => truncateSync(file, 100)],
    ['grew', file => writeFileSync(file, LINES, { flag: 'a' })],
    ['is gone', file => rmSync(file)],
    [
      'is a directory',
      file => {
        rmSync(file)
        mkdirSync(file)
      },
    ],
    [
      'is a link to it',
      file => {
        renameSync(file, `${file}.old`)
        symlinkSync(`${file}.old`, file)
      },
    ],
  ])('is none where the file %s', (_, change) => {
    const file = join(folder, 'a.txt')
    for (const bytes of [Buffer.from(LINES), Buffer.from(`\uFEFF${LINES}`, 'utf16le')]) {
      writeFileSync(file, bytes)
      const reader = fileReader(folder)
      const stamp = reader.read('a.txt')?.stamp ?? ''
      expect(reader.readPart({ path: 'a.txt', stamp }, 10, 20)?.length).toBe(10)
      change(file)
      expect(reader.readPart({ path: 'a.txt', stamp }, 10, 20)).toBeUndefined()
      rmSync(file, { recursive: true, force: true })
    }
  })
})
