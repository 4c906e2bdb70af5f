// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { judgeCommand, type CommandRule } from '../../src/guards/shell/judge-command.ts'
import { needs } from '../needs.ts'
import { runCaged } from './bash-cage.ts'
import { commandLines } from './random-commands.ts'

const it = needs('bubblewrap')
const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
const TIME_MS = 900_000
const PROGRAMS = [
  'ls',
  'cat',
  'head',
  'wc',
  'grep',
  'git',
  'id',
  'curl',
  'rm',
  'touch',
  'sh',
  'env',
  'xargs',
  'tee',
  'bash',
]

const rule = (verdict: CommandRule['verdict'], text: string): CommandRule => ({
  id: text,
  verdict,
  prefix: text === '*' ? [] : text.split(' '),
})

describe('judgeCommand against bash', () => {
  it('sees in the cage what bash starts and writes', () => {
    const seen = runCaged(['ls | id', 'echo x > f', 'echo "$(nowhere)"', 'echo id'], PROGRAMS)
    expect(seen).toEqual([
      { started: ['id', 'ls'], changed: false },
      { started: [], changed: true },
      { started: ['nowhere'], changed: false },
      { started: [], changed: false },
    ])
  })

  it(
    'SG-16: allows no line with which bash starts another program or writes a file',
    () => {
      const allowed = ['ls', 'cat', 'echo', 'head', 'wc', 'true', 'pwd', 'printf', 'grep', 'git log', 'git status', '[']
      const rules = allowed.map(text => rule('allow', text))
      const lines = linesWith(rules, 'ask', LONG ? 15_000 : 1_200)
      expect(lines.length).toBeGreaterThan(50)
      const wrong = runCaged(lines, PROGRAMS).flatMap(({ started, changed }, at) => {
        const others = started.filter(name => !allowed.some(text => text.split(' ')[0] === name))
        return changed || others.length > 0 ? [{ line: lines[at], others, changed }] : []
      })
      expect(wrong).toEqual([])
    },
    TIME_MS,
  )

  it(
    'SG-16: allows no line with which bash starts a denied program, even where everything else is allowed',
    () => {
      const denied = ['id', 'curl', 'rm', 'touch', 'tee']
      const rules = [rule('allow', '*'), ...denied.map(text => rule('deny', text))]
      const lines = linesWith(rules, 'allow', LONG ? 3_000 : 200)
      expect(lines.length).toBeGreaterThan(10)
      const wrong = runCaged(lines, PROGRAMS).flatMap(({ started }, at) =>
        started.some(name => denied.includes(name)) ? [{ line: lines[at], started }] : [],
      )
      expect(wrong).toEqual([])
    },
    TIME_MS,
  )
})

const linesWith = (rules: readonly CommandRule[], fallback: 'ask' | 'allow', count: number): readonly string[] =>
  [...new Set(fc.sample(commandLines, count))].filter(
    line => judgeCommand(line, { rules, fallback }).verdict === 'allow',
  )
