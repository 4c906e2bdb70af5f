import { describe, expect, it } from 'vitest'
import type { Claim } from '../../kernel/claim.ts'
import { hiddenBy } from './hidden-paths.ts'
import { decideChange, decidePlace, isJudgedIfIgnored } from './command-changes.ts'
import { makePolicy, NO_POWER, type Policy } from './policy.ts'
import { sessionPolicy } from './session-policy.ts'
import { loadCommandParser } from './command-parser.ts'

await loadCommandParser()

const write = (path: string): Claim => ({ action: 'write', resource: path })

const rule = (action: 'read' | 'create' | 'write', path: string, verdict: 'allow' | 'ask' | 'deny') =>
  ({ id: `${verdict} ${path}`, action, path, verdict, source: 'user' }) as const

describe('what policy says to a change that a command made', () => {
  it('lets ordinary files pass, whatever the default, and holds rules and protected places', () => {
    const policy = makePolicy({
      defaults: NO_POWER,
      rules: [rule('write', 'locked/**', 'deny'), rule('write', 'shared/**', 'ask'), rule('write', 'src/**', 'allow')],
    })
    const verdicts = ['src/a.ts', 'any.txt', 'locked/a', 'LOCKED/a', 'shared/a', '.vscode/x', '.git/config', '.sage/x']
    expect(verdicts.map(path => decidePlace(policy, write(path)).verdict)).toEqual([
      'allow',
      'allow',
      'deny',
      'deny',
      'ask',
      'ask',
      'deny',
      'deny',
    ])
  })

  it('does not ask about names inside what programs install, where git ignores it', () => {
    const policy = makePolicy({ rules: [rule('write', '**/secret', 'deny')] })
    expect(decidePlace(policy, write('node_modules/p/.travis.yml'), { ignored: true }).verdict).toBe('allow')
    expect(decidePlace(policy, write('node_modules/p/.travis.yml')).verdict).toBe('ask')
    expect(decidePlace(policy, write('.vscode/node_modules/x'), { ignored: true }).verdict).toBe('ask')
    expect(decidePlace(policy, write('node_modules/p/.git/config'), { ignored: true }).verdict).toBe('deny')
    expect(decidePlace(policy, write('node_modules/p/secret'), { ignored: true }).verdict).toBe('deny')
  })

  it('counts the stricter of a policy and the one around it', () => {
    const within = makePolicy({ rules: [rule('write', 'a/**', 'deny')] })
    expect(decidePlace(makePolicy({ within, rules: [rule('write', 'a/**', 'ask')] }), write('a/b')).verdict).toBe(
      'deny',
    )
  })
})

describe('a change that a command made, by whose word it ran', () => {
  const verdicts = (policy: Policy, byPerson: boolean, ...paths: string[]) =>
    paths.map(path => decideChange(policy, { action: 'write', resource: path }, { byPerson }).verdict)

  it('is covered by a person’s yes, but for rules and protected places', () => {
    const policy = makePolicy({ rules: [rule('write', 'locked/**', 'deny'), rule('write', 'shared/**', 'ask')] })
    expect(verdicts(policy, true, 'any', 'locked/a', 'shared/a', '.vscode/x')).toEqual(['allow', 'deny', 'ask', 'ask'])
    expect(decideChange(policy, { action: 'write', resource: 'shared/a' }, { byPerson: true }).always).toBe(true)
  })

  it('is judged as a write after a rule: defaults and permissions count', () => {
    const asking = makePolicy({ rules: [rule('write', 'src/**', 'allow'), rule('write', 'src/shared/**', 'ask')] })
    expect(verdicts(asking, false, 'any', 'src/a', 'src/shared/a', 'src/.vscode/x')).toEqual([
      'ask',
      'allow',
      'ask',
      'ask',
    ])
    const bare = makePolicy({ defaults: NO_POWER, permissions: ['fs:write:src/**'] })
    expect(verdicts(bare, false, 'any', 'src/a', '.git/config')).toEqual(['deny', 'allow', 'deny'])
    expect(decideChange(bare, { action: 'create', resource: 'any' }, { byPerson: false }).missing).toBe('fs:create:any')
  })

  it('at a path that git ignores is judged where a rule or least power denies it, and not for asking by default', () => {
    expect(isJudgedIfIgnored(makePolicy(), 'dist/a', true)).toBe(false)
    expect(isJudgedIfIgnored(makePolicy({ rules: [rule('write', 'dist/**', 'deny')] }), 'dist/a', true)).toBe(true)
    const creating = makePolicy({ rules: [rule('create', 'dist/**', 'deny')] })
    expect([true, false].map(isNew => isJudgedIfIgnored(creating, 'dist/a', isNew))).toEqual([true, false])
    const bare = makePolicy({ defaults: NO_POWER, permissions: ['fs:write:src/**'] })
    expect([isJudgedIfIgnored(bare, 'dist/a', true), isJudgedIfIgnored(bare, 'src/a', true)]).toEqual([true, false])
  })
})

describe('what a command may not read', () => {
  it('is everything that no permission opens, where reading is denied by default', () => {
    const hidden = (...permissions: string[]) => hiddenBy(makePolicy({ defaults: NO_POWER, permissions }))
    expect(hidden()?.unseen).toContain('fs:read is missing')
    expect([hidden('fs:read'), hidden('fs:read:**')]).toEqual([undefined, undefined])
    const some = hidden('fs:read:b*', 'fs:read:src/**/*.ts')
    expect(['a', 'b', 'src/x/a.ts', 'src/a.js'].map(path => some?.matches(path))).toEqual([true, false, false, true])
    expect(['lib', 'src', 'src/.git', '.git'].map(path => some?.matches(path, true))).toEqual([true, false, true, true])
    expect(hidden('fs:read:.git/**')?.matches('.git', true)).toBe(false)
    const closedAround = makePolicy({ within: makePolicy({ defaults: NO_POWER, permissions: ['fs:read:b*'] }) })
    expect([hiddenBy(closedAround)?.matches('a'), hiddenBy(closedAround)?.matches('b')]).toEqual([true, false])
  })

  it('is what a rule with a place denies or asks about; nothing without such a rule', () => {
    expect(hiddenBy(makePolicy())).toBeUndefined()
    const within = makePolicy({ rules: [rule('read', 'inner/**', 'deny')] })
    const hides = hiddenBy(
      makePolicy({ within, rules: [rule('read', '**/.env*', 'deny'), rule('read', 'ask/**', 'ask')] }),
    )
    expect(['.env', 'a/.ENV.local', 'ask/x', 'inner/x', 'src/env.ts'].map(path => hides?.matches(path))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ])
    expect([hides?.covers('inner'), hides?.reaches('src'), hides?.names('node_modules')]).toEqual([true, true, false])
  })
})

describe('SG-16: command lists', () => {
  const config = { policy: { defaults: { ...NO_POWER, exec: 'allow' as const }, rules: [] }, permissions: [] }
  it('are passed by every command, however many there are', () => {
    const policy = sessionPolicy(config, { commands: [{ allow: ['git', 'tsc'] }, { deny: ['git push'] }] })
    expect(policy.within?.within).toBeDefined()
    expect(sessionPolicy(config, {}).within).toBeUndefined()
  })
})
