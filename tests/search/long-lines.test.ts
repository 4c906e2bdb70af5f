import { describe, expect, it } from 'vitest'
import { BLOCK_BYTES, NEAR_BYTES } from '../../src/knowledge/search/index/segment.ts'
import { createRandom } from '../patch-differential/random.ts'
import { indexed, question, type Files } from './indexed.ts'

const filler = (length: number): string => 'abcdefghij klmnop,qrstuv;wxyz-'.repeat(length / 30 + 1).slice(0, length)

/** Needles around borders at which a block may end, whether it is of the usual length or of twice that, in lines that are far longer. */
function files(): Files {
  const made: Record<string, string> = {}
  for (const offset of [-20, -9, -8, -7, -3, -1, 0, 1, NEAR_BYTES - 1, NEAR_BYTES])
    made[`border/${offset}.min.js`] =
      `first\n${filler(BLOCK_BYTES * 4 + offset - 6)}needle42${filler(BLOCK_BYTES * 5)}\nafter needle42\n`
  const long = (words: readonly string[]) => words.map(word => word + filler(BLOCK_BYTES * 4 + word.length)).join('')
  return {
    ...made,
    'spread.js': `one\ntwo\n${long(['alpha', 'needle', 'omega'])}\nalpha omega\n`,
    'spread-other-way.js': `${long(['omega', 'alpha'])}\nneedle\n`,
    'two.js': `${long(['needle'])}\n${long(['alpha'])}\nshort\n${long(['omega', 'needle'])}\nlast needle`,
    'wide.js': `${'é'.repeat(BLOCK_BYTES * 2)}needle${'日本'.repeat(BLOCK_BYTES)}Straße\nend\n`,
    'broken.js': Buffer.concat([
      Buffer.alloc(BLOCK_BYTES * 3, 0xe9),
      Buffer.from('needle'),
      Buffer.alloc(BLOCK_BYTES, 0xff),
    ]).toString('latin1'),
    'small/a.txt': 'needle\nalpha\n',
    'small/b.txt': `x\n${'y\n'.repeat(9_000)}needle42 here\r\n`,
  }
}

const QUESTIONS = [
  question(['needle42']),
  question(['needle']),
  question(['NEEDLE42'], { ignoreCase: true }),
  question(['needle42'], { word: true }),
  question(['needle|omega'], { regex: true }),
  question(['alpha.*omega'], { regex: true }),
  question(['alpha.*needle.*omega'], { regex: true }),
  question(['omega.*alpha'], { regex: true }),
  question(['^alpha'], { regex: true }),
  question(['[a-z]{6}\\d{2}'], { regex: true }),
  question(['n[ef]edle'], { regex: true, invert: true }),
  question(['STRASSE', 'straße'], { ignoreCase: true }),
  question(['needle'], { only: 'counts' }),
  question(['needle'], { before: 1, after: 1 }),
  question(['nowhere to be found']),
]

/** The first line of the first file is long. */
const first = (before: number): Files => ({
  'a.min.js': `${filler(before)}needleXYZ${filler(BLOCK_BYTES * 3 + 7)}\nend\n`,
  'b.js': 'hello\n',
})

const FIRST_QUESTIONS = [
  question(['needleXYZ']),
  question(['needleXYZ'], { only: 'files' }),
  question(['needlexyz'], { ignoreCase: true }),
  question(['needle[XY]+Z'], { regex: true }),
  question(['needle[A-Z]{3}'], { regex: true }),
  question(['edleXY'], { strict: true, after: 1 }),
  question(['^abc.*XYZ'], { regex: true }),
  question(['hello']),
]

const LONG = process.env['TOOLWRIGHT_LONG'] === '1'

describe('lines longer than a block', () => {
  it.each([
    ['stored', {}],
    ['held', { isStored: false }],
    ['read from disk', { isStored: false, memoryBytes: 1 }],
  ])(
    'are found as ripgrep finds them, %s',
    async (_, more) => {
      const some = await indexed(files(), more)
      for (const options of QUESTIONS) expect(await some.isSame(options)).toBe(true)
    },
    120_000,
  )

  it('are found in a file that was written a moment ago', async () => {
    const some = await indexed({ 'first.txt': 'needle\n' })
    some.write(files())
    for (const options of QUESTIONS) expect(await some.isSame(options)).toBe(true)
  }, 120_000)

  const FIRST_SIZES = [1, 100, 20_000, BLOCK_BYTES, BLOCK_BYTES * 2, BLOCK_BYTES * 5 + 1, 300_000]

  it.each(FIRST_SIZES)('are found where one begins a segment, with %s bytes before what is looked for', async size => {
    const some = await indexed(first(size))
    for (const options of FIRST_QUESTIONS) expect(await some.isSame(options)).toBe(true)
  })

  it('are found where one begins a segment that was only now begun, written again and again', async () => {
    const some = await indexed({ 'b.js': 'hello\n' }, { memoryBytes: 2 ** 22 })
    for (const [round, size] of [...FIRST_SIZES, ...(LONG ? FIRST_SIZES : [])].entries()) {
      some.write({ 'a.min.js': `${filler(size)}needle${round}x${filler(500_000)}\n` })
      expect(await some.isSame(question([`needle${round}x`], { strict: true }))).toBe(true)
      expect(await some.isSame(question(['needle\\d{1,2}x'], { regex: true, strict: true }))).toBe(true)
    }
  }, 120_000)

  it('are found wherever in them a text lies, cut out of the files themselves', async () => {
    const random = createRandom(7)
    const all = files()
    const some = await indexed(all)
    const names = Object.keys(all)
    let answered = 0
    const rounds = LONG ? 40 : 24
    for (let round = 0; round < rounds; round++) {
      const text = String(all[names[random.int(names.length)] ?? '']).split('\n')[random.int(2)] ?? ''
      const from = random.int(Math.max(1, text.length - 40))
      const cut = text.slice(from, from + 4 + random.int(30))
      if (await some.isSame(question([cut], { ignoreCase: round % 3 === 0 }))) answered++
    }
    expect(answered).toBeGreaterThan((rounds * 7) / 8)
  }, 120_000)
})
