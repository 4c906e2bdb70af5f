import { describe, expect, it } from 'vitest'
import { makePolicy, NO_POWER } from '../guards/policy/policy.ts'
import type { Change } from '../kernel/change.ts'
import { reads, writesFound } from '../kernel/claim.ts'
import { lateClaims, judgeLateClaims } from './late-claims.ts'

const change = (kind: Change['kind'], path: string, from?: string): Change => ({
  kind,
  path,
  ...(from !== undefined && { from }),
  diff: () => '',
})

describe('foundClaims', () => {
  it('names each path that was changed, as the tool that changes it by name would', () => {
    const changes = [
      change('change', 'a.ts'),
      change('create', 'lib/b.ts'),
      change('mkdir', 'lib'),
      change('delete', 'c.ts'),
      change('move', 'lib/d.ts', 'd.ts'),
    ]
    expect(lateClaims([...reads('a.ts'), ...writesFound()], changes)).toEqual([
      { action: 'write', resource: 'a.ts' },
      { action: 'create', resource: 'lib/b.ts' },
      { action: 'write', resource: 'c.ts', link: true },
      { action: 'create', resource: 'lib/d.ts', link: true },
      { action: 'write', resource: 'd.ts', link: true },
    ])
    expect(lateClaims(reads('a.ts'), changes)).toBeUndefined()
  })
})

describe('judgeFound', () => {
  const policy = makePolicy({
    permissions: ['fs:write:src/**'],
    rules: [{ id: 'no-db', action: 'write', verdict: 'deny', source: 'user', path: 'src/db/**' }],
  })
  const judged = (...paths: readonly string[]) =>
    judgeLateClaims(
      policy,
      'toolwright/refactor',
      lateClaims(
        writesFound(),
        paths.map(path => change('change', path)),
      ) ?? [],
    )

  it('lets through what is allowed, asks where one path asks, and names every path that is denied', () => {
    expect(judged('src/a.ts')).toBeUndefined()
    expect(judged('src/a.ts', 'docs/b.ts')).toMatchObject({ verdict: 'ask', claim: { resource: 'docs/b.ts' } })
    expect(() => judged('src/a.ts', 'src/db/x.ts', 'src/db/y.ts')).toThrow(/src\/db\/x\.ts.*src\/db\/y\.ts/)
    const strict = makePolicy({ defaults: NO_POWER, permissions: ['fs:write:src/**'] })
    expect(() => judgeLateClaims(strict, 'x', lateClaims(writesFound(), [change('change', 'a.ts')]) ?? [])).toThrow(
      expect.objectContaining({ code: 'denied', hint: expect.stringContaining('fs:write:a.ts') }),
    )
  })
})
