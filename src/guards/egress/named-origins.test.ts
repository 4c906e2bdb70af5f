import { describe, expect, it } from 'vitest'
import { compileRules, type Rule } from '../policy/rule.ts'
import { namedOrigins } from './named-origins.ts'

const policyOf = (...rules: readonly Partial<Rule>[]) => ({
  rules: compileRules(
    rules.map((rule, at) => ({ id: String(at), action: 'net', verdict: 'allow', source: 'user', ...rule })),
  ),
  defaults: {},
})

describe('namedOrigins', () => {
  it('gives what is allowed by name, by both schemes where none is named', () => {
    expect(namedOrigins(policyOf({ host: 'a.example' }, { host: 'http://b.example:8080' }))).toEqual([
      'https://a.example',
      'http://a.example',
      'http://b.example:8080',
    ])
  })

  it('leaves out patterns, what a project says, and what is denied or asked elsewhere', () => {
    const policy = policyOf({ host: '*' }, { host: '*.example' }, {}, { host: 'a.example', source: 'project' })
    expect(namedOrigins(policy)).toEqual([])
    expect(namedOrigins(policyOf({ host: 'a.example' }, { host: 'a.example', verdict: 'deny' }))).toEqual([])
    expect(namedOrigins({ ...policyOf({ host: 'a.example' }), within: policyOf() })).toEqual([])
  })
})
