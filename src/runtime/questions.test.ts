import { describe, expect, it } from 'vitest'
import { systemClock } from './clock.ts'
import { createQuestions, type Card } from './questions.ts'

const card = (tool: string): Card => ({ tool, input: {}, claims: [], changes: [], risk: 'dangerous', why: 'a test' })

describe('createQuestions', () => {
  it('answers no if no one can be asked', async () => {
    expect(await createQuestions(systemClock).ask(card('a'))).toEqual({ answer: 'no', by: 'nobody' })
  })

  it('holds a question open until any surface answers it by its id', async () => {
    const questions = createQuestions(systemClock)
    questions.attach(() => new Promise(() => {}))
    const asked = questions.ask(card('a'))
    const [pending] = questions.pending()
    expect(pending?.card.tool).toBe('a')
    expect(questions.answer(pending?.id ?? '', { answer: 'yes', by: 'console' })).toBe(true)
    expect(await asked).toEqual({ answer: 'yes', by: 'console' })
    expect(questions.answer(pending?.id ?? '', { answer: 'yes', by: 'console' })).toBe(false)
  })

  it('binds each answer to its own question, however many are open', async () => {
    const questions = createQuestions(systemClock)
    questions.attach(() => new Promise(() => {}))
    const [first, second] = [questions.ask(card('first')), questions.ask(card('second'))]
    for (const { id, card: shown } of questions.pending().toReversed())
      questions.answer(id, { answer: shown.tool === 'first' ? 'yes' : 'no', by: 'me' })
    expect((await first).answer).toBe('yes')
    expect((await second).answer).toBe('no')
  })

  it('takes an answerer that fails for a no', async () => {
    const questions = createQuestions(systemClock)
    questions.attach(() => {
      throw new Error('the window was closed')
    })
    expect(await questions.ask(card('a'))).toEqual({
      answer: 'no',
      by: 'failed',
      undecided: 'the answerer failed',
    })
  })

  it('takes a caller that has gone for a no', async () => {
    const questions = createQuestions(systemClock)
    questions.attach(() => new Promise(() => {}))
    const caller = new AbortController()
    const asked = questions.ask(card('a'), { signal: caller.signal })
    caller.abort()
    expect((await asked).answer).toBe('no')
    expect(questions.pending()).toEqual([])
  })

  it.each([
    [{ answer: 'yes' }],
    [{ answer: 'yes', by: 1 }],
    [{ answer: 'maybe', by: 'me' }],
    [{ answer: 'always', by: 'me', scope: 'everywhere' }],
    [{ answer: 'always', by: 'me', expiresAt: Infinity }],
    [null],
    ['yes'],
  ])('takes %j for a no', async given => {
    const questions = createQuestions(systemClock)
    questions.attach(() =>
      JSON.parse(JSON.stringify(given), (_, value) => (value === null && given !== null ? Infinity : value)),
    )
    expect((await questions.ask(card('a'))).answer).toBe('no')
  })

  it('takes the first answer of several people', async () => {
    const questions = createQuestions(systemClock)
    questions.attach(() => new Promise(() => {}))
    questions.attach(() => ({ answer: 'yes', by: 'the quick one' }))
    questions.attach(() => ({ answer: 'no', by: 'the late one' }))
    expect(await questions.ask(card('a'))).toEqual({ answer: 'yes', by: 'the quick one' })
  })
})
