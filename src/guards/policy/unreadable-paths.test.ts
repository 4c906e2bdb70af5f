import { describe, expect, it } from 'vitest'
import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import { DEFAULT_VERDICTS, listingPolicy, makePolicy, NO_POWER, type PolicyParts } from './policy.ts'
import { permitsInside, unreadableBy } from './unreadable-paths.ts'
import type { Rule } from './rule.ts'
import type { Verdict } from '../verdict.ts'

const rule = (about: Pick<Rule, 'action' | 'path' | 'verdict'>): Rule => ({ ...about, id: 'one', source: 'user' })

const FILES = [
  'a.ts',
  '.env',
  'src/b.ts',
  'src/.env.local',
  'src/keys/c.ts',
  'src/keys/deep/d.ts',
  'SRC/Keys/e.ts',
  'docs/f.md',
  'node_modules/p/index.js',
  '.git/config',
]

const POLICIES: Readonly<Record<string, PolicyParts>> = {
  'a rule for names': { rules: [rule({ action: 'read', path: '**/.env*', verdict: 'deny' })] },
  'a rule for a directory': { rules: [rule({ action: '*', path: 'src/keys/**', verdict: 'deny' })] },
  'a rule that asks': { rules: [rule({ action: 'read', path: 'docs/**', verdict: 'ask' })] },
  'a rule for everything': { rules: [rule({ action: 'read', verdict: 'deny' })] },
  'no power but for a part': { defaults: NO_POWER, permissions: ['fs:read:src/**'] },
  'no power but for a part without a part of it': {
    defaults: NO_POWER,
    permissions: ['fs:read:src/**'],
    rules: [rule({ action: 'read', path: 'src/keys/deep/**', verdict: 'deny' })],
  },
  'reading that asks': { defaults: { ...DEFAULT_VERDICTS, read: 'ask' } },
  'no default at all': { defaults: {}, permissions: ['fs:read:src/b.ts'] },
  'a parent that has less': {
    within: makePolicy({ defaults: NO_POWER, permissions: ['fs:read:{docs,src}/**'] }),
    rules: [rule({ action: 'read', path: '**/c.ts', verdict: 'deny' })],
  },
}

/** Asks like a walker of the workspace: from the top, and not below a hidden directory. */
function isHidden(hides: HiddenPaths | undefined, path: string): boolean {
  if (!hides) return false
  const names = path.split('/')
  for (let depth = 1; depth < names.length; depth++) {
    const directory = names.slice(0, depth).join('/')
    if (hides.matches(directory, true) || hides.covers(directory)) return true
    if (!hides.reaches(directory)) return false
  }
  return hides.matches(path, false)
}

describe('unreadableBy', () => {
  for (const [name, parts] of Object.entries(POLICIES))
    for (const decided of ['allow', 'ask'] satisfies readonly Verdict[])
      it(`hides exactly what may not be read: ${name}, where reading was decided so: ${decided}`, () => {
        const policy = makePolicy(parts)
        const hides = unreadableBy(policy, decided)
        const mayRead = permitsInside(listingPolicy(policy), 'read', decided)
        expect(FILES.filter(path => isHidden(hides, path))).toEqual(FILES.filter(path => !mayRead(path)))
      })

  it('is nothing if everything may be read, so that no walk is needed', () => {
    expect(unreadableBy(makePolicy(), 'allow')).toBeUndefined()
    expect(
      unreadableBy(makePolicy({ rules: [rule({ action: 'write', path: 'a/**', verdict: 'deny' })] }), 'allow'),
    ).toBeUndefined()
    expect(
      unreadableBy(makePolicy({ rules: [rule({ action: 'read', path: 'a/**', verdict: 'ask' })] }), 'ask'),
    ).toBeUndefined()
    expect(unreadableBy(makePolicy({ defaults: { ...DEFAULT_VERDICTS, read: 'ask' } }), 'ask')).toBeUndefined()
  })

  it('is the same for the same policy, so that what was walked is remembered with it', () => {
    const policy = makePolicy({ rules: [rule({ action: 'read', path: 'a/**', verdict: 'deny' })] })
    expect(unreadableBy(policy, 'allow')).toBe(unreadableBy(policy, 'allow'))
  })
})
