import { expect, test } from 'vitest'
import { textsOf } from './texts-of.ts'

const TEXTS = [
  '',
  'plain',
  'Straße',
  'a'.repeat(3_000),
  '日本',
  'plain again',
  '',
  '😀 end',
  'z'.repeat(1_024),
  'é',
  'last',
]

test.each([
  ['in order', TEXTS.map((_, at) => at)],
  ['in any order', [7, 1, 0, 10, 2, 3, 3, 9, 4, 5, 8, 6]],
])('texts in ASCII and others are read out of the same bytes, %s', (_, order) => {
  const places = TEXTS.map((text, at) => {
    const from = Buffer.byteLength(TEXTS.slice(0, at).join(''))
    return { from, to: from + Buffer.byteLength(text) }
  })
  const textAt = textsOf(Buffer.from(TEXTS.join('')))
  const read = order.map(at => textAt(places[at]?.from ?? -1, places[at]?.to ?? -1))
  expect(read).toEqual(order.map(at => TEXTS[at]))
})

test('bytes that are no text are shown as they are by themselves', () => {
  const bytes = Buffer.from([0x61, 0xff, 0x62, 0xe9, 0x63])
  const textAt = textsOf(bytes)
  expect([textAt(0, 1), textAt(1, 3), textAt(3, 5)]).toEqual(['a', '\ufffdb', '\ufffdc'])
})
