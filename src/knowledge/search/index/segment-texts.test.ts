import { closeSync, copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { segmentBuilder } from './build-segments.ts'
import { fileReader } from './read-file-text.ts'
import { openText, segmentTexts, TextLost } from './segment-texts.ts'
import type { TextPlace } from './messages.ts'
import type { Segment } from './segment.ts'

const TEXT = Array.from({ length: 200_000 }, (_, at) => `${at}\n`).join('')

interface Stored {
  readonly directory: string
  readonly place: TextPlace
  readonly segment: Segment
}

function stored(id = 1): Stored {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-texts-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'a.txt'), TEXT)
  const { segment, place } = segmentBuilder(fileReader(directory)).pack(id, [{ pathId: 0, path: 'a.txt', stamp: '' }], {
    textBytes: TEXT.length + 64,
    holdsText: true,
    file: join(directory, 'stored'),
  })
  if (!place) throw new Error('This segment was not stored')
  return { directory, place, segment }
}

test.each([{ keepsRecent: false }, { keepsRecent: true }])('any part of a text is read, %o', how => {
  const { place, segment } = stored()
  const text = openText(place)
  const whole: Segment = { ...segment, stored: text }
  const texts = segmentTexts()
  const window = texts.window(how)
  const offset = fc.nat(TEXT.length)
  fc.assert(
    fc.property(offset, fc.nat(40_000), (from, length) => {
      const to = Math.min(from + length, TEXT.length)
      const { bytes, words, base } = window.read(whole, from, to)
      expect(bytes.toString('latin1', from - base, to - base)).toBe(TEXT.slice(from, to))
      expect(words.buffer).toBe(bytes.buffer)
    }),
    { numRuns: 500 },
  )
  texts.keep([])
  if (text) closeSync(text.fd)
})

test('a file that took the place of the stored one is not opened', () => {
  const { directory, place } = stored()
  copyFileSync(place.file, join(directory, 'other'))
  renameSync(join(directory, 'other'), place.file)
  expect(openText(place)).toBeUndefined()
})

test('a descriptor that belongs to another file by now is not read', () => {
  const [one, other] = [stored(1), stored(2)]
  const text = openText(one.place)
  if (!text) throw new Error('This text was not opened')
  closeSync(text.fd)
  const taken = openText(other.place)
  expect(taken?.fd).toBe(text.fd)
  const window = segmentTexts().window()
  expect(() => window.read({ ...one.segment, stored: text }, 0, 10)).toThrow(TextLost)
  if (taken) closeSync(taken.fd)
})
