import { describe, expect, it } from 'vitest'
import { readTarget } from '../../kernel/target.ts'
import { makePolicy } from '../policy/policy.ts'
import type { Rule } from '../policy/rule.ts'
import { egressOf } from './egress.ts'
import { isWebPort } from './port.ts'

const granted = (...permissions: readonly string[]) => egressOf(makePolicy({ permissions }))
const refusal = (permissions: readonly string[], url: string, address?: string) =>
  granted(...permissions).refuses(readTarget(url), address)

describe('egressOf', () => {
  it('lets every public address of an ordinary port pass', () => {
    expect(refusal([], 'https://example.com/')).toBeUndefined()
    expect(refusal([], 'https://example.com/', '93.184.216.34')).toBeUndefined()
  })

  it('names the address and the rule that would open it', () => {
    expect(refusal(['net'], 'http://intern.example/', '10.0.0.5')).toBe(
      'intern.example resolves to 10.0.0.5, which is private, and only a rule that names 10.0.0.5:80 opens it',
    )
    expect(refusal(['net'], 'http://[::1]:3000/', '::1')).toMatch(/names \[::1\]:3000 opens/)
  })

  it.each([
    ['net', false],
    ['net:*', false],
    ['net:*:3000', false],
    ['net:*.local', false],
    ['net:dev.local:3000', false],
    ['net:127.0.0.1', false],
    ['net:127.0.0.1:3001', false],
    ['net:https://127.0.0.1:3000', false],
    ['net:127.0.0.1:3000', true],
    ['net:http://127.0.0.1:3000', true],
    ['net:127.1:3000', true],
  ])('%s opens loopback: %s', (permission, opens) => {
    expect(refusal([permission], 'http://dev.local:3000/', '127.0.0.1') === undefined).toBe(opens)
  })

  it('takes localhost for this machine where a rule names it, and for nothing else', () => {
    expect(refusal(['net:localhost:3000'], 'http://localhost:3000/', '127.0.0.1')).toBeUndefined()
    expect(refusal(['net:localhost:3000'], 'http://localhost:3000/', '::1')).toBeUndefined()
    expect(refusal(['net:localhost:3000'], 'http://localhost:3000/', '10.0.0.1')).toMatch(/private/)
    expect(refusal(['net:localhost:3000'], 'http://localhost:3001/', '127.0.0.1')).toMatch(/loopback/)
    expect(refusal(['net:localhost:3000'], 'http://dev.example:3000/', '127.0.0.1')).toMatch(/loopback/)
  })

  it('reaches a server that the configuration names inside, but no metadata of a cloud, and nothing denied', () => {
    const target = { ...readTarget('http://chroma.test:8000/'), isNamed: true } as const
    const refuses = (address?: string, rules: readonly Rule[] = []) =>
      egressOf(makePolicy({ rules })).refuses(target, address)
    expect([undefined, '127.0.0.1', '10.0.0.5', '::1'].map(address => refuses(address))).toEqual(
      Array(4).fill(undefined),
    )
    expect(refuses('169.254.169.254')).toMatch(/link-local/)
    const deny: Rule = { id: 'd', verdict: 'deny', action: 'net', host: '10.0.0.5', source: 'user' }
    expect(refuses('10.0.0.5', [deny])).toMatch(/denied by a rule/)
  })

  it('does not take the word of a project for what is inside', () => {
    const rule: Rule = { id: 'p', verdict: 'allow', action: 'net', host: '127.0.0.1:3000', source: 'project' }
    const target = readTarget('http://127.0.0.1:3000/')
    expect(egressOf(makePolicy({ rules: [rule] })).refuses(target, '127.0.0.1')).toMatch(/loopback/)
    expect(egressOf(makePolicy({ rules: [{ ...rule, source: 'user' }] })).refuses(target, '127.0.0.1')).toBeUndefined()
  })

  it('opens nothing inside that its parent does not', () => {
    const child = makePolicy({ permissions: ['net:127.0.0.1:3000'], within: makePolicy({ permissions: ['net'] }) })
    expect(egressOf(child).refuses(readTarget('http://127.0.0.1:3000/'), '127.0.0.1')).toMatch(/loopback/)
  })

  it('keeps a denied address denied under every name', () => {
    const rule: Rule = { id: 'd', verdict: 'deny', action: 'net', host: '93.184.216.34', source: 'user' }
    const egress = egressOf(makePolicy({ rules: [rule], permissions: ['net'] }))
    expect(egress.refuses(readTarget('https://example.com/'), '93.184.216.34')).toMatch(/denied by a rule/)
    expect(egress.refuses(readTarget('https://example.com/'), '93.184.216.35')).toBeUndefined()
  })

  it('keeps to ports where pages are, unless a rule names another', () => {
    expect(refusal(['net'], 'https://example.com:22/')).toMatch(/port 22 of example.com/)
    expect(refusal(['net:*'], 'http://example.com:6379/')).toMatch(/port 6379/)
    expect(refusal(['net:example.com:22'], 'https://example.com:22/')).toBeUndefined()
    expect(refusal(['net:*.example.com:22'], 'https://a.example.com:22/')).toBeUndefined()
    expect([80, 443, 3000, 5000, 8000, 8080, 8443, 9000].every(isWebPort)).toBe(true)
    expect(
      [1, 22, 23, 25, 53, 110, 143, 445, 587, 993, 2375, 3306, 5432, 6379, 9200, 11_211, 27_017].some(isWebPort),
    ).toBe(false)
  })

  it('asks policy about an origin by its name', () => {
    const egress = granted('net:example.com', 'net:http://plain.example', 'net:bücher.example')
    const origins = ['https://example.com', 'http://example.com', 'https://a.example.com', 'http://plain.example']
    expect(origins.map(egress.verdict)).toEqual(['allow', 'allow', 'ask', 'allow'])
    expect(egress.verdict('https://plain.example')).toBe('ask')
    expect(egress.verdict(readTarget('https://BÜCHER.example').origin)).toBe('allow')
  })
})
