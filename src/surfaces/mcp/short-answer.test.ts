import { expect, it } from 'vitest'
import { shortAnswer } from './short-answer.ts'

it('keeps the details of a failure short, however much they hold', () => {
  const undecided = Array.from({ length: 5_000 }, (_, at) => ({ path: 'a.ts', line: at }))
  const details = { undecided, report: { stdout: `first\n${'x\n'.repeat(100_000)}last`, exitCode: 1 } }
  const { error } = Object(shortAnswer({ ok: false, error: { code: 'conflict', details }, meta: {} }))
  expect(JSON.stringify(error).length).toBeLessThan(45_000)
  expect(error.details.undecided).toEqual(undecided.slice(0, 100))
  expect(error.details.report).toEqual({
    stdout: expect.stringMatching(/^first\n[^]*more characters[^]*last$/),
    exitCode: 1,
  })
})

it('leaves a failure without details as it is', () => {
  const answer = { ok: false, error: { code: 'denied', message: 'No' }, meta: {} }
  expect(shortAnswer(answer)).toEqual(answer)
})
