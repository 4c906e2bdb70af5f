import { beforeAll, describe, expect, it } from 'vitest'
import { loadCommandParser } from '../../guards/policy/command-parser.ts'
import type { Question } from '../../runtime/questions.ts'
import { answerOf, approvalForm } from './approval-form.ts'

const question: Question = {
  id: 'q1',
  askedAt: 0,
  closed: new AbortController().signal,
  card: {
    tool: 'toolwright/write',
    input: {},
    claims: [{ action: 'write', resource: 'a.txt' }],
    changes: [],
    risk: 'dangerous',
    why: 'the default for write is ask',
  },
}
const fieldFor = (name: string, version: string) =>
  approvalForm(question, { name, version }).requestedSchema.properties['answer']
const YES = { action: 'accept', content: { answer: 'yes' } }

beforeAll(loadCommandParser)

describe('the answer of a form', () => {
  it.each([
    ['claude-code', '2.1.325'],
    ['codex-mcp-client', '0.166.0'],
  ])('is filled in for %s %s, which was seen to show it', (name, version) => {
    expect(fieldFor(name, version)).toMatchObject({ enum: ['yes', 'no'], default: 'yes' })
  })

  it.each([
    ['claude-code', '3.0.0'],
    ['claude-code', ''],
    ['codex-mcp-client', '0.200.0'],
    ['claude-code-fork', '2.1.325'],
    ['another', '2.1.325'],
  ])('is not filled in for %s %s', (name, version) => {
    expect(fieldFor(name, version)).not.toHaveProperty('default')
    expect(approvalForm(question, { name, version }).requestedSchema.required).toEqual(['answer'])
  })

  it('is not filled in where a terminal hides part of what would run', () => {
    const [name, version] = ['claude-code', '2.1.325']
    const claims = [{ action: 'exec' as const, resource: 'bash', input: 'given' as const }]
    const asked = (stdin: string) =>
      approvalForm(
        { ...question, card: { ...question.card, input: { command: 'bash', stdin }, claims } },
        { name, version },
      ).requestedSchema.properties['answer']
    expect(asked('echo hi')).toMatchObject({ default: 'yes', description: 'command: bash; stdin: echo hi' })
    expect(asked('echo hi\nrm -rf src')).not.toHaveProperty('default')
  })

  it('is no one’s if the form came back before anyone could read the question', () => {
    const seen = { name: 'claude-code', version: '2.1.325' }
    expect(answerOf(YES, 20, seen, question)).toMatchObject({
      answer: 'no',
      undecided: expect.stringContaining('at once'),
    })
    expect(answerOf(YES, 2_000, seen, question)).toEqual({ answer: 'yes', by: 'claude-code' })
    // A program that answers for its person has to say yes itself.
    expect(answerOf(YES, 20, { name: 'my-agent', version: '1' }, question)).toEqual({ answer: 'yes', by: 'my-agent' })
  })
})
