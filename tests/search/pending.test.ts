import { expect, it } from 'vitest'
import { indexed, question } from './indexed.ts'

const FILES = 6_000
const nameOf = (at: number): string => `d${at % 60}/${at}.txt`

/** This many files, from everywhere, with a new text. */
const texts = (count: number, round: number): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const file = Math.floor((at * FILES) / count)
      return [nameOf(file), `line one of ${file}\nround ${round} of ${file % 10}\n${'filler '.repeat(file % 300)}end`]
    }),
  )

it('answers with a thousand files that were written a moment ago, and leaves many more to a scan', async () => {
  const some = await indexed(texts(FILES, 0))
  let answered = 0
  // How many files are looked at in the time of an answer is a matter of what else the machine does.
  for (let round = 1; round <= 12 && answered < 3; round++) {
    some.write(texts(1_000, round))
    if (await some.isSame(question([`round ${round} of 3`]))) answered++
    else await caughtUp()
    expect(await some.isSame(question([`round ${round}`]))).toBe(true)
  }
  expect(answered).toBeGreaterThan(0)
  some.write(texts(3_000, 99))
  expect(await some.index.grep({ options: question(['round 99']) })).toEqual({ scan: 'behind' })
  await caughtUp()
  expect(await some.isSame(question(['round 99 of 7']))).toBe(true)

  async function caughtUp(): Promise<void> {
    await expect
      .poll(async () => 'scan' in (await some.index.grep({ options: question(['nothing like it']) })), {
        timeout: 30_000,
      })
      .toBe(false)
  }
}, 120_000)

it('gives up segments that are mostly dead, and loses nothing that is alive in them', async () => {
  const some = await indexed({ 'first.txt': 'needle\n' }, { memoryBytes: 4 * 2 ** 20 })
  const rewrite = async (round: number): Promise<void> => {
    some.write({
      [`small/${round}.txt`]: `needle ${round}\n`,
      'big.txt': `${'much text '.repeat(6_000)}${round}\n`,
    })
    expect(await some.isSame(question([`text ${round}$`, `needle ${round}$`], { regex: true }))).toBe(true)
  }
  let round = 0
  while (round < 40) await rewrite(round++)
  // So many texts fill twice as many.
  await expect
    .poll(
      async () => {
        await rewrite(round++)
        return some.index.status().segments
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBeLessThan(6)
  expect(await some.isSame(question(['needle']))).toBe(true)
}, 120_000)
