import { describe, expect, it } from 'vitest'
import { reads, readsBelow, writes, type Claim } from '../../kernel/claim.ts'
import { decide } from './decide.ts'
import { secretReading } from './hidden-paths.ts'
import { listingPolicy, makePolicy, NO_POWER, type PolicyParts } from './policy.ts'
import type { Rule } from './rule.ts'
import { readablePaths } from './unreadable-paths.ts'

const rule = (path: string | undefined, more: Partial<Rule> = {}): Rule => ({
  id: `${path} ${more.verdict} ${more.source}`,
  action: 'read',
  verdict: 'allow',
  source: 'user',
  ...(path !== undefined && { path }),
  ...more,
})
const verdict = (parts: PolicyParts, ...claims: Claim[]) => decide(makePolicy(parts), claims).verdict
const ENV = reads('src/.env')

describe('a policy', () => {
  it.each<[PolicyParts, string]>([
    [{}, 'ask'],
    [{ defaults: { read: 'allow' } }, 'ask'],
    [{ defaults: NO_POWER }, 'deny'],
    [{ permissions: ['fs:read'] }, 'allow'],
    [{ permissions: ['fs:read:src/.env'] }, 'allow'],
    [{ permissions: ['fs:read:src/**'] }, 'allow'],
    [{ permissions: ['fs:read:.env', 'fs:write'] }, 'ask'],
    [{ rules: [rule('**/.env')] }, 'allow'],
    [{ rules: [rule('**/.env', { source: 'project' })] }, 'ask'],
    [{ rules: [rule(undefined, { source: 'project' })] }, 'ask'],
    [{ rules: [rule('**/.env', { verdict: 'deny', source: 'project', narrows: true })] }, 'deny'],
    [{ defaults: NO_POWER, rules: [rule('**', { verdict: 'ask', narrows: true })] }, 'deny'],
    [{ permissions: ['fs:read'], rules: [rule('**/.env', { verdict: 'ask' })] }, 'ask'],
    [{ asksForSecrets: false }, 'allow'],
    // Whatever a session is opened within has its own word about commands, and none about files.
    [{ permissions: ['fs:read'], within: makePolicy({ asksForSecrets: false }) }, 'allow'],
    [{ permissions: ['fs:read'], within: makePolicy() }, 'ask'],
  ])('%# of a file that holds secrets says %s', (parts, expected) => {
    expect(verdict(parts, ...ENV)).toBe(expected)
  })

  it('says nothing else of directories, of other files and of writes', () => {
    expect(verdict({}, ...readsBelow('.'), ...readsBelow('.ssh'), ...reads('.env.example', 'src/a.ts'))).toBe('allow')
    expect(verdict({ permissions: ['fs:write'] }, ...writes('secrets/a.pem'))).toBe('allow')
  })

  it('names the file alone as what is missing', () => {
    expect(decide(makePolicy(), ENV)).toMatchObject({ missing: 'fs:read:src/.env' })
    expect(decide(makePolicy(), reads('a[1].pem'))).not.toMatchObject({ missing: 'fs:read:a[1].pem' })
  })

  it.each<[PolicyParts, string]>([
    [{}, 'closed'],
    [{ permissions: ['fs:write', 'exec'] }, 'closed'],
    [{ rules: [rule('**', { source: 'project' })] }, 'closed'],
    [{ permissions: ['fs:read:src/**'] }, 'some'],
    [{ permissions: ['fs:read:**'] }, 'open'],
    [{ permissions: ['fs:read'] }, 'open'],
    [{ permissions: ['fs:read'], within: makePolicy({ asksForSecrets: false }) }, 'open'],
    [{ permissions: ['fs:read'], within: makePolicy() }, 'closed'],
  ])('%# opens %s of them to searches', (parts, expected) => {
    expect(secretReading(makePolicy(parts))).toBe(expected)
  })

  it('lets names be known', () => {
    const policy = makePolicy({ rules: [rule('**/hidden/.env', { verdict: 'deny' })], within: makePolicy() })
    expect(decide(listingPolicy(policy), ENV).verdict).toBe('allow')
    expect(decide(listingPolicy(policy), reads('hidden/.env')).verdict).toBe('deny')
    expect(listingPolicy(policy)).toBe(listingPolicy(policy))
  })
})

describe('readablePaths', () => {
  const paths = (parts: PolicyParts, claims: readonly Claim[], isApproved: boolean) => {
    const { mayRead, mayList } = readablePaths(makePolicy(parts), claims, () => isApproved)
    const all = ['src/a.ts', 'src/.env', '.env']
    return { read: all.filter(mayRead), list: all.filter(mayList) }
  }
  const ALL = ['src/a.ts', 'src/.env', '.env']

  it('has a file that holds secrets where it was named and approved', () => {
    expect(paths({}, readsBelow('.'), false)).toEqual({ read: ['src/a.ts'], list: ALL })
    expect(paths({ defaults: { read: 'ask' } }, readsBelow('.'), true)).toEqual({ read: ['src/a.ts'], list: ALL })
    expect(paths({}, ENV, true)).toEqual({ read: ['src/a.ts', 'src/.env'], list: ALL })
    expect(paths({ permissions: ['fs:read:.env'] }, readsBelow('.'), false)).toEqual({
      read: ['src/a.ts', '.env'],
      list: ALL,
    })
  })
})
