import { describe, expect, it } from 'vitest'
import { compileRules, type Rule } from './rule.ts'
import { loadCommandParser } from './command-parser.ts'

await loadCommandParser()

const rule = (more: Partial<Rule>): Rule => ({ id: 'r1', action: 'write', verdict: 'deny', source: 'user', ...more })

describe('compileRules', () => {
  it.each(['*', "'*'", '"*"', '\\*', ' * '])('takes the command %j for every command', command => {
    const [compiled] = compileRules([rule({ action: 'exec', command })]).all
    expect(compiled?.matcher.matches('rm -rf x')).toBe(true)
    expect(compiled?.matcher.touches('anything | else')).toBe('whole')
    expect(compiled?.matcher.covers('')).toBe(true)
  })

  it('takes rules whose examples hold', () => {
    const rules = compileRules([
      rule({ path: '**/*.lock', match: ['a/b.lock'], notMatch: ['a/b.lock.ts'] }),
      rule({
        id: 'r2',
        action: 'exec',
        command: 'git log',
        match: ['git log --oneline'],
        notMatch: ['git', 'git logs', 'echo git log'],
      }),
      rule({
        id: 'r3',
        verdict: 'allow',
        action: 'net',
        host: '*.example.com',
        match: ['https://a.example.com'],
        notMatch: ['https://example.com', 'https://a.example.com:8443'],
      }),
      rule({ id: 'r4', action: 'reveal', secret: 'GITHUB_*', match: ['GITHUB_TOKEN'], notMatch: ['AWS_KEY'] }),
    ])
    expect(rules.all).toHaveLength(4)
    expect(rules.byAction.create.map(({ id }) => id)).toEqual(['r1'])
  })

  it.each([
    [rule({ path: 'src/*.ts', match: ['src/a/b.ts'] }), /Rule 'r1'.*should match 'src\/a\/b.ts' and does not/],
    [rule({ path: 'src/**', notMatch: ['src/a'] }), /Rule 'r1'.*should not match 'src\/a' and does/],
    [rule({ path: '{a' }), /Rule 'r1'.*'{' is not closed/],
    [rule({ path: 'a', host: 'b' }), /more than one of/],
    [rule({ command: 'git' }), /command does not fit the action 'write'/],
    [rule({ action: 'exec', command: '  ' }), /command is empty/],
    [rule({ action: 'net', host: 'http://x/y' }), /not a host name/],
    [rule({ action: 'reveal', secret: 'a b' }), /no secret name/],
  ])('refuses a wrong rule: %#', (wrong, message) => {
    expect(() => compileRules([wrong])).toThrow(message)
  })

  it('refuses two rules with one id, and too many', () => {
    expect(() => compileRules([rule({}), rule({})])).toThrow(/same id/)
    expect(() => compileRules(Array.from({ length: 1_001 }, (_, at) => rule({ id: `r${at}` })))).toThrow(/at most 1000/)
  })
})
