import { describe, expect, it } from 'vitest'
import { createRandom } from '../patch-differential/random.ts'
import { indexed, question } from './indexed.ts'

const latin = (text: string): Buffer => Buffer.from(text, 'latin1')

describe('bytes that are no UTF-8', () => {
  it('leave a question about words to ripgrep where they stand in a line that matters, and only there', async () => {
    const some = await indexed({
      'a.txt': latin('\xe9needle here\nneedle\n'),
      'b.txt': latin('caf\xe9 nothing\nneedle\n'),
    })
    const words = question(['needle'], { word: true })
    expect(await some.index.grep({ options: words })).toEqual({ scan: 'foreign' })
    expect(await some.index.grep({ options: question(['\\bneedle\\b'], { regex: true }) })).toEqual({ scan: 'foreign' })
    expect(await some.isSame(question(['needle']))).toBe(true)
    expect(await some.isSame({ ...words, globs: ['b.txt'] })).toBe(true)
  })

  it('never make another answer than ripgrep, whatever stands beside a border of a word', async () => {
    const random = createRandom(11)
    const pieces = [
      'needle',
      'needle',
      'x',
      ' ',
      ' ',
      '\n',
      '\n',
      '\n',
      '\n',
      '\xe9',
      '\xff',
      '\x80',
      '\xc3',
      'é',
      '日',
      '\xe2\x80',
      'a1',
    ].map(text => (/[é日]/.test(text) && text !== '\xe9' ? Buffer.from(text) : latin(text)))
    const text = () => Buffer.concat(Array.from({ length: 60 }, () => pieces[random.int(pieces.length)] ?? latin(' ')))
    const files = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, text()]))
    const some = await indexed(files)
    let answered = 0
    for (const [patterns, more] of [
      [['needle'], { word: true }],
      [['\\bneedle'], { regex: true }],
      [['\\Bneedle'], { regex: true }],
      [['needle\\b'], { regex: true }],
      [['x'], { word: true, invert: true }],
      [['needle'], {}],
      [['needle.'], { regex: true }],
      [['NEEDLE'], { ignoreCase: true }],
    ] as const)
      for (let file = 0; file < 40; file += 4)
        if (await some.isSame(question(patterns, { ...more, globs: [`${file}.txt`] }))) answered++
    expect(answered).toBeGreaterThanOrEqual(30)
  }, 60_000)
})
