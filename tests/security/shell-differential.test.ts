// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import fc from 'fast-check'
import { afterEach, beforeAll, describe, expect } from 'vitest'
import { judgeCommand, type CommandRule } from '../../src/guards/shell/judge-command.ts'
import { useSecondParser } from '../../src/guards/shell/second-parser.ts'
import { loadBashSyntax, type ShowBash } from '../../src/machine/grammar/bash-syntax.ts'
import { needs } from '../needs.ts'
import { runCaged } from './bash-cage.ts'
import { commandLines } from './random-commands.ts'
import { coreLines, splitLines } from './split-lines.ts'

const it = needs('bubblewrap')
const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
const TIME_MS = LONG ? 10_000_000 : 600_000
/** Most lines are asked about whatever the rules, and need not be run. Only the long run draws other lines each time. */
const RANDOM = LONG ? { numRuns: 60_000 } : { numRuns: 1_000, seed: 20_261_116 }
/** Nine lines split a construct at one place: every tenth takes one of nearly each, with all signs and quotes in turn. */
const SPLIT = LONG ? [...coreLines(), ...splitLines(80_000)] : coreLines().filter((_, at) => at % 10 === 0)
/** Programs that are there; whatever else a line starts is seen as well. */
const PROGRAMS = ['id', 'curl', 'rm', 'touch', 'tee', 'sh', 'bash', 'env', 'xargs']
const READING = ['ls', 'cat', 'echo', 'head', 'wc', 'true', 'pwd', 'printf', 'grep', 'git log', 'git status', '[']

const rule = (verdict: CommandRule['verdict'], text: string): CommandRule => ({
  id: text,
  verdict,
  prefix: text === '*' ? [] : text.split(' '),
})

const isAllowed = (line: string, fallback: 'ask' | 'allow', ...rules: readonly CommandRule[]): boolean =>
  judgeCommand(line, { rules, fallback }).verdict === 'allow'

const passesDeny = (line: string, program: string): boolean =>
  isAllowed(line, 'allow', rule('allow', '*'), rule('deny', program))

const passesList = (line: string): boolean => isAllowed(line, 'ask', ...READING.map(text => rule('allow', text)))

/** What bash did with lines that the judge let pass, and should have asked about. */
function wronglyPassed(lines: readonly string[]): readonly unknown[] {
  return runCaged(lines, PROGRAMS).flatMap(({ started, changed }, at) => {
    const line = lines[at] ?? ''
    const unseen = started.filter(name => /^[\w.-]+$/.test(name) && passesDeny(line, name))
    const unlisted = started.filter(name => !READING.some(text => text.split(' ')[0] === name))
    const isWrong = unseen.length > 0 || ((unlisted.length > 0 || changed) && passesList(line))
    return isWrong ? [{ line, unseen, unlisted, changed }] : []
  })
}

/** Lines of which the judge claims to see every command: a rule about a program that they do not start lets them pass. */
const transparent = (lines: readonly string[]): readonly string[] =>
  [...new Set(lines)].filter(line => passesDeny(line, 'a-program-of-no-line') || passesList(line))

let bash: ShowBash
beforeAll(async () => {
  bash = await loadBashSyntax()
})
afterEach(() => useSecondParser(undefined))

describe('judgeCommand against bash', () => {
  it('sees in the cage what bash starts and writes, by any path and behind any program', () => {
    const lines = ['ls | id', 'echo x > f', 'echo "$(nowhere)"', 'echo id', 'env /bin/id', '{ curl; } & true', 'echo']
    const seen = runCaged([...lines, "for x in a # '\ndo touch p; id; done #' ; do ls; done"], PROGRAMS)
    expect(seen).toEqual([
      { started: ['id', 'ls'], changed: false },
      { started: [], changed: true },
      { started: ['nowhere'], changed: false },
      { started: [], changed: false },
      { started: ['env', 'id'], changed: false },
      { started: ['curl'], changed: false },
      { started: [], changed: false },
      { started: ['id', 'touch'], changed: false },
    ])
  })

  // Lines of the first kind are the same each time. The first reader has to hold by itself.
  it.each(LONG ? ['split', 'random', 'first'] : ['split', 'random'])(
    'SG-16: lets no line pass that starts what a rule denies, or more than a list allows: %s',
    kind => {
      if (kind === 'random') useSecondParser(bash)
      const lines = transparent(kind === 'split' ? SPLIT : fc.sample(commandLines, RANDOM))
      expect(lines.length).toBeGreaterThan(50)
      expect(wronglyPassed(lines)).toEqual([])
    },
    TIME_MS,
  )
})
