import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Claim } from '../../kernel/claim.ts'
import { canonicalClaims } from './canonical-claims.ts'
import { openRoot, type Root } from './root.ts'
import { createStaging } from './staging.ts'

let path: string
let root: Root
beforeEach(() => {
  path = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-claims-')))
  mkdirSync(join(path, 'src'))
  writeFileSync(join(path, 'src/a.ts'), '')
  symlinkSync('src', join(path, 'source'))
  symlinkSync('a.ts', join(path, 'src/link.ts'))
  symlinkSync('/etc', join(path, 'etc'))
  root = openRoot(path)
})
afterEach(() => {
  root.close()
  rmSync(path, { recursive: true, force: true })
})

const resourceOf = (claim: Claim, staging = createStaging()) => canonicalClaims(root, staging, [claim])[0]?.resource

describe('canonicalClaims', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//../src/a.ts', 'src/a.ts'],
    ['source/a.ts', 'src/a.ts'],
    ['source/link.ts', 'src/a.ts'],
    ['source/new/x.ts', 'src/new/x.ts'],
    ['source/**', 'src/**'],
    ['**', '**'],
    ['.', '.'],
  ])('%s means %s', (given, real) => {
    expect(resourceOf({ action: 'read', resource: given })).toBe(real)
  })

  it('a name that is meant itself is not followed', () => {
    expect(resourceOf({ action: 'write', resource: 'source/link.ts', link: true })).toBe('src/link.ts')
    expect(resourceOf({ action: 'write', resource: 'source', link: true })).toBe('source')
  })

  it('what leads out is refused', () => {
    for (const resource of ['../x', '/etc/passwd', 'etc/passwd', 'etc/**'])
      expect(() => resourceOf({ action: 'read', resource })).toThrow(/outside/)
  })

  it('sees what is staged', () => {
    const staging = createStaging()
    staging.set(
      'source',
      { type: 'symlink', target: 'src', identity: { ino: 1n, size: 3n, mtimeNs: 0n, mode: 0o777 } },
      { type: 'absent' },
    )
    expect(resourceOf({ action: 'create', resource: 'source/a.ts' }, staging)).toBe('source/a.ts')
  })

  it('leaves commands, hosts and secrets as they are', () => {
    const claims: Claim[] = [
      { action: 'exec', resource: 'rm -rf ../x' },
      { action: 'net', resource: 'https://example.com' },
      { action: 'reveal', resource: 'TOKEN' },
    ]
    expect(canonicalClaims(root, undefined, claims)).toEqual(claims)
  })
})
