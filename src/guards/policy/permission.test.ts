import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Action } from '../../kernel/claim.ts'
import { decide } from './decide.ts'
import { parsePermission, permissionFor } from './permission.ts'
import { makePolicy, NO_POWER } from './policy.ts'
import { loadCommandParser } from './command-parser.ts'

await loadCommandParser()

describe('parsePermission', () => {
  it.each([
    ['fs:read', { action: 'read' }],
    ['fs:read:docs/**', { action: 'read', path: 'docs/**' }],
    ['fs:write:src/**', { action: 'write', path: 'src/**' }],
    ['fs:create', { action: 'create' }],
    ['exec', { action: 'exec' }],
    ['exec:git status', { action: 'exec', command: 'git status' }],
    ['net', { action: 'net' }],
    ['net:api.example.com:8443', { action: 'net', host: 'api.example.com:8443' }],
    ['secret:GITHUB_TOKEN', { action: 'reveal', secret: 'GITHUB_TOKEN' }],
    ['secret:*', { action: 'reveal', secret: '*' }],
  ])('SG-07: reads %s', (text, rule) => {
    expect(parsePermission(text)).toMatchObject({ ...rule, verdict: 'allow', source: 'permission' })
  })

  it.each([
    '',
    'fs',
    'fs:',
    'fs:delete',
    'fs:read:',
    'fs:write:/etc/**',
    'fs:write:{a',
    'net:',
    'net:a b',
    'secret',
    'secret:',
    'exec:',
    'FS:read',
    'fs:read ',
  ])("SG-07: refuses '%s' and says which forms there are", text => {
    expect(() => parsePermission(text)).toThrow(
      expect.objectContaining({ code: 'invalid_input', hint: expect.stringContaining('fs:write[:GLOB]') }),
    )
    expect(() => parsePermission(text)).toThrow(`'${text}'`)
  })
})

describe('permissionFor', () => {
  it('gives a string that allows exactly such a claim', () => {
    const name = fc
      .string({ unit: fc.constantFrom('a', 'b', '*', '[', '{', ',', ' ', 'é'), minLength: 1, maxLength: 6 })
      .filter(text => text !== '**')
    const resource = fc.oneof(
      fc.array(name, { minLength: 1, maxLength: 3 }).map(names => names.join('/')),
      fc.constantFrom('**', 'src/**', ''),
    )
    fc.assert(
      fc.property(fc.constantFrom<Action>('read', 'create', 'write'), resource, (action, path) => {
        const claim = { action, resource: path }
        const policy = makePolicy({ defaults: NO_POWER, permissions: [permissionFor(claim)] })
        expect(decide(policy, [claim]).verdict).toBe('allow')
        expect(decide(policy, [{ action, resource: 'somewhere/else' }]).verdict === 'deny').toBe(
          path !== '**' && path !== '',
        )
      }),
    )
  })

  it('names hosts, commands and secrets', () => {
    expect(permissionFor({ action: 'net', resource: 'https://a.example:8443' })).toBe('net:a.example:8443')
    expect(permissionFor({ action: 'exec', resource: 'git push' })).toBe('exec:git push')
    expect(permissionFor({ action: 'reveal', resource: 'KEY' })).toBe('secret:KEY')
    expect(permissionFor({ action: 'exec', resource: 'ls; rm x' })).toBe('exec')
    expect(permissionFor({ action: 'net', resource: '::' })).toBe('net')
  })
})
