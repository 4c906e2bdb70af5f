import { describe, expect, it } from 'vitest'
import { deniesAll } from './denies-all.ts'
import { makePolicy, NO_POWER } from './policy.ts'
import type { Rule } from './rule.ts'
import { loadCommandParser } from './command-parser.ts'

await loadCommandParser()

const rule = (given: Partial<Rule>): Rule => ({ id: 'r', source: 'user', action: 'write', verdict: 'deny', ...given })

describe('deniesAll', () => {
  it('is true where the default denies and nothing lifts it', () => {
    expect(deniesAll(makePolicy({ defaults: NO_POWER }), 'exec')).toBe(true)
    expect(deniesAll(makePolicy({ defaults: NO_POWER, permissions: ['exec:git log'] }), 'exec')).toBe(false)
    const narrowed = makePolicy({
      defaults: NO_POWER,
      rules: [rule({ verdict: 'ask', path: 'src/**', narrows: true })],
    })
    expect(deniesAll(narrowed, 'write')).toBe(true)
    expect(deniesAll(makePolicy(), 'write')).toBe(false)
  })

  it('is true where a rule denies everything, whatever else is allowed', () => {
    for (const given of [rule({}), rule({ path: '**' })]) {
      const policy = makePolicy({ rules: [given], permissions: ['fs:write:src/**'] })
      expect([deniesAll(policy, 'write'), deniesAll(policy, 'create'), deniesAll(policy, 'read')]).toEqual([
        true,
        true,
        false,
      ])
    }
    const commands = makePolicy({ rules: [rule({ action: 'exec', command: '*' })] })
    expect([deniesAll(commands, 'exec'), deniesAll(commands, 'net')]).toEqual([true, false])
  })

  it('is false where a rule denies a part, and true where the surrounding policy denies', () => {
    expect(deniesAll(makePolicy({ rules: [rule({ path: 'src/**' })] }), 'write')).toBe(false)
    expect(deniesAll(makePolicy({ rules: [rule({ action: 'exec', command: 'rm' })] }), 'exec')).toBe(false)
    expect(deniesAll(makePolicy({ within: makePolicy({ defaults: NO_POWER }) }), 'net')).toBe(true)
  })
})
