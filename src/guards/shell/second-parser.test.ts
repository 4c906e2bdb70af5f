import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadBashSyntax, type ShowBash } from '../../machine/grammar/bash-syntax.ts'
import { judgeCommand, type CommandRule } from './judge-command.ts'
import { parseLine } from './parse-line.ts'
import { lacksSecondParser, useSecondParser } from './second-parser.ts'

const data = join(import.meta.dirname, '../../../tests/data')
const legitimate: readonly string[] = JSON.parse(readFileSync(join(data, 'legitimate-lines.json'), 'utf8'))

const rule = (verdict: CommandRule['verdict'], ...prefix: readonly string[]): CommandRule => ({
  id: `${verdict} ${prefix.join(' ')}`,
  verdict,
  prefix,
})
const LISTED = { rules: [rule('allow', 'ls'), rule('allow', 'cat')], fallback: 'ask' } as const
const DENIED = { rules: [rule('allow'), rule('deny', 'touch')], fallback: 'allow' } as const

let bash: ShowBash
beforeAll(async () => {
  bash = await loadBashSyntax()
})
afterEach(() => useSecondParser(undefined))

describe('the second parser of command lines', () => {
  it('agrees with the first about what people and agents write', () => {
    const readable = legitimate.filter(line => parseLine(line).broken === undefined)
    useSecondParser(bash)
    const asked = readable.filter(line => parseLine(line).broken !== undefined)
    expect(readable.length).toBeGreaterThan(150)
    expect(asked.slice(Math.floor(legitimate.length * 0.02))).toEqual([])
  })

  it.each([
    ['a command', 'ls; touch p'],
    ['a command in a substitution', 'ls "$(touch p)"'],
    ['other words', 'ls -l; ls'],
    ['an assignment', 'A=1; ls; ls'],
    ['a redirection', 'ls; ls > f'],
    ['a loop', 'for x in a; do ls; ls; done'],
    ['a function', 'ls() { ls; }; ls'],
    ['less', 'ls # ; ls'],
    ['no line of bash', 'ls; ls )'],
  ])('has it asked where it sees %s', (_what, seen) => {
    useSecondParser((_line, show) => bash(seen, show))
    for (const rules of [LISTED, DENIED]) expect(judgeCommand('ls;ls', rules).verdict).toBe('ask')
    useSecondParser(bash)
    for (const rules of [LISTED, DENIED]) expect(judgeCommand('ls;ls', rules).verdict).toBe('allow')
  })

  it('has it asked where it fails', () => {
    useSecondParser(() => {
      throw new RangeError('Maximum call stack size exceeded')
    })
    for (const rules of [LISTED, DENIED]) expect(judgeCommand('ls | cat', rules).verdict).toBe('ask')
    expect(judgeCommand('ls "a b" \'c\' -l', LISTED).verdict).toBe('allow')
  })

  it('reads the scripts that a line hands to a shell', () => {
    const seen: string[] = []
    useSecondParser((line, show) => {
      seen.push(line)
      return bash(line, show)
    })
    judgeCommand(`bash -c 'ls; sh -c "ls | cat"'`, DENIED)
    expect(seen).toContain('ls; sh -c "ls | cat"')
    expect(seen).toContain('ls | cat')
  })

  it.each(['ls', 'git commit -m "a b: c" --no-verify', "A=1 npm test -- 'x y'", 'bash -c "ls \'a\' b"'])(
    'is not needed for plain words: %s',
    line => expect(lacksSecondParser(line)).toBe(false),
  )

  it.each([
    'ls;id',
    'ls *',
    'echo $x',
    'bash -c "ls;id"',
    "echo '$('",
    'ls\nid',
    'ls # a',
    '{ ls',
    'ls ~',
    'a\\b',
    '!x',
    "ls '",
  ])('is needed for more than that: %s', line => expect(lacksSecondParser(line)).toBe(true))

  it('stays within time and stack on hostile lines', () => {
    useSecondParser(bash)
    const lines = [
      'ls && '.repeat(8_000) + 'ls',
      'ls | '.repeat(9_000) + 'ls',
      '$('.repeat(20) + 'ls' + ')'.repeat(20),
      '"$('.repeat(20) + 'ls' + ')"'.repeat(20),
      'ls "' + '$x'.repeat(20_000) + '"',
      'if true; then '.repeat(20) + 'ls' + '; fi'.repeat(20),
      'cat ' + '<<A '.repeat(2_000) + '\n' + 'A\n'.repeat(2_000),
    ]
    for (const line of lines) expect(judgeCommand(line, DENIED).verdict).toMatch(/^(ask|allow)$/)
  })
})
