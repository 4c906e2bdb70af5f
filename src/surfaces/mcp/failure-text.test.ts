import { expect, it } from 'vitest'
import { ToolError } from '../../kernel/error.ts'
import { failureLines, shortSentence } from './failure-text.ts'

const place = (at: number) => ({ id: `id${at}`, path: `m${at}.py`, line: at, text: 'q.pick()', why: 'unknown owner' })

it('names every place by the id that the next call takes, once', async () => {
  const listed = [1, 2, 3].map(place)
  const error = new ToolError('conflict', 'Undecided: m1.py:1 [id1] q.pick() and 2 more', {
    hint: 'Give their ids',
    details: { occurrences: { changed: 0, listed } },
  })
  expect(await failureLines(error)).toEqual([
    'conflict: Undecided: m1.py:1 [id1] q.pick() and 2 more',
    'Give their ids',
    'm2.py:2 [id2] q.pick() (unknown owner)\nm3.py:3 [id3] q.pick() (unknown owner)',
  ])
})

it('lists the places that a message is too long to name', async () => {
  const all = Array.from({ length: 200 }, (_, at) => place(at))
  const message = all.map(({ path, line, id }) => `${path}:${line} [${id}] ${'x'.repeat(40)}`).join('; ')
  const lines = await failureLines(new ToolError('conflict', message, { details: { listed: all } }))
  const text = lines.join('\n')
  expect(all.filter(({ id }) => !text.includes(`[${id}]`))).toEqual([])
  expect(lines[0]?.length).toBeLessThan(4_100)
})

it('cuts the middle of a long message, and leaves it one line', () => {
  expect(shortSentence('short')).toBe('short')
  const cut = shortSentence(`first ${'x'.repeat(10_000)} last`)
  expect(cut).toMatch(/^first x+ … \d+ more characters x+ last$/)
  expect(cut.length).toBeLessThan(4_100)
})

it.each([
  ['the first', 40_000, 0, 30_000],
  ['the second', 0, 40_000, 30_000],
  ['both', 40_000, 40_000, 15_000],
  ['the first beside a short second', 40_000, 500, 30_000],
])('gives the room for what a command printed to the streams that need it: %s', async (_which, out, errors, least) => {
  const lines = (length: number, word: string) => `${word}\n`.repeat(length / (word.length + 1))
  const [stdout, stderr] = [lines(out, 'out'), lines(errors, 'bad')]
  const text = (await failureLines(new ToolError('timeout', 'Too long', { details: { stdout, stderr } }))).join('\n')
  expect(text.length).toBeLessThan(36_300)
  const shown = [text.split('\nout').length * 4, text.split('\nbad').length * 4]
  if (out > 500) expect(shown[0]).toBeGreaterThan(least)
  if (errors > 500) expect(shown[1]).toBeGreaterThan(least)
  if (errors === 500) expect(text.endsWith(`stderr:\n${stderr.trimEnd()}`)).toBe(true)
})

it('cuts at whole lines, and never inside a character', async () => {
  const numbers = Array.from({ length: 10_000 }, (_, at) => `line ${at}`)
  const stdout = numbers.join('\n')
  const [, ...printed] = await failureLines(new ToolError('timeout', 'Too long', { details: { stdout, stderr: '' } }))
  const own = printed.join('\n').split('\n')
  expect(own.filter(line => !numbers.includes(line))).toEqual([expect.stringMatching(/^… \d+ more characters$/)])
  expect(shortSentence('😀'.repeat(5_000)).isWellFormed()).toBe(true)
})
