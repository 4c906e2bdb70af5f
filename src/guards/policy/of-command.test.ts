import { describe, expect, it } from 'vitest'
import { hiddenBy } from './hidden.ts'
import { decideMade } from './of-command.ts'
import { makePolicy, NO_POWER } from './policy.ts'
import { sessionPolicy } from './session-policy.ts'

const rule = (action: 'read' | 'write', path: string, verdict: 'allow' | 'ask' | 'deny') =>
  ({ id: `${verdict} ${path}`, action, path, verdict, source: 'user' }) as const

describe('what policy says to a change that a command made', () => {
  it('lets ordinary files pass, whatever the default, and holds rules and protected places', () => {
    const policy = makePolicy({
      defaults: NO_POWER,
      rules: [rule('write', 'locked/**', 'deny'), rule('write', 'shared/**', 'ask'), rule('write', 'src/**', 'allow')],
    })
    const verdicts = ['src/a.ts', 'any.txt', 'locked/a', 'LOCKED/a', 'shared/a', '.vscode/x', '.git/config', '.sage/x']
    expect(verdicts.map(path => decideMade(policy, path).verdict)).toEqual([
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
    expect(decideMade(policy, 'node_modules/p/.travis.yml', { ignored: true }).verdict).toBe('allow')
    expect(decideMade(policy, 'node_modules/p/.travis.yml').verdict).toBe('ask')
    expect(decideMade(policy, '.vscode/node_modules/x', { ignored: true }).verdict).toBe('ask')
    expect(decideMade(policy, 'node_modules/p/.git/config', { ignored: true }).verdict).toBe('deny')
    expect(decideMade(policy, 'node_modules/p/secret', { ignored: true }).verdict).toBe('deny')
  })

  it('counts the stricter of a policy and the one around it', () => {
    const within = makePolicy({ rules: [rule('write', 'a/**', 'deny')] })
    expect(decideMade(makePolicy({ within, rules: [rule('write', 'a/**', 'ask')] }), 'a/b').verdict).toBe('deny')
  })
})

describe('what a command may not read', () => {
  it('is what a rule with a place denies or asks about; nothing where there is none', () => {
    expect(hiddenBy(makePolicy({ defaults: NO_POWER }))).toBeUndefined()
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
