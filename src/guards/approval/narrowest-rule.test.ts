import { describe, expect, it } from 'vitest'
import { creates, reads, writes, type Action, type Claim } from '../../kernel/claim.ts'
import { compileApproval } from './approval.ts'
import { matchApproval } from './matches.ts'
import { proposeRule } from './narrowest-rule.ts'
import { loadCommandParser } from '../policy/command-parser.ts'

await loadCommandParser()

/** A claim on everything below a directory. */
const tree = (action: Action, resource: string): Claim[] => [{ action, resource }]

const exec = (resource: string): Claim[] => [{ action: 'exec', resource }]
const net = (resource: string): Claim[] => [{ action: 'net', resource }]
const grantsOf = (claims: readonly Claim[]): unknown => proposeRule({ tool: 't', claims })?.grants

describe('proposeRule', () => {
  it.each([
    [writes('src/components/Button.tsx'), [{ action: 'write', path: 'src/components/*.tsx' }]],
    [writes('src/a.ts', 'src/b.ts'), [{ action: 'write', path: 'src/*.ts' }]],
    [writes('README.md'), [{ action: 'write', path: 'README.md' }]],
    [creates('docker/Dockerfile'), [{ action: 'create', path: 'docker/Dockerfile' }]],
    [writes('src/.env.local'), [{ action: 'write', path: 'src/.env.local' }]],
    [writes('app/[id]/page.tsx'), [{ action: 'write', path: 'app/\\[id\\]/*.tsx' }]],
    [[{ action: 'write', resource: 'src/a.ts', link: true }], [{ action: 'write', path: 'src/a.ts' }]],
    [tree('read', 'src/**'), [{ action: 'read', path: 'src/**' }]],
    [exec('git status --short'), [{ action: 'exec', command: 'git status --short' }]],
    [exec('npm test -- --watch'), [{ action: 'exec', command: 'npm test -- --watch' }]],
    [exec('npm run build'), [{ action: 'exec', command: 'npm run build' }]],
    [exec('rm -rf build'), [{ action: 'exec', command: 'rm -rf build', exact: true }]],
    [exec('git log src/a.ts'), [{ action: 'exec', command: 'git log' }]],
    [exec('constructor x'), [{ action: 'exec', command: 'constructor x', exact: true }]],
    [exec('git push'), [{ action: 'exec', command: 'git push', exact: true }]],
    [
      exec('git status && npm run build'),
      [
        { action: 'exec', command: 'git status' },
        { action: 'exec', command: 'npm run build' },
      ],
    ],
    [exec('git log > x'), [{ action: 'exec', command: 'git log > x', exact: true }]],
    [exec('git status; ls'), [{ action: 'exec', command: 'git status; ls', exact: true }]],
    [net('https://api.example.com'), [{ action: 'net', host: 'api.example.com' }]],
    [
      [...exec('git fetch'), ...net('https://a.example')],
      [
        { action: 'exec', command: 'git fetch', exact: true },
        { action: 'net', host: 'a.example' },
      ],
    ],
    [[{ action: 'reveal', resource: 'KEY' }], [{ action: 'reveal', secret: 'KEY' }]],
  ] as const)('proposes the narrowest useful rule: %#', (claims, grants) => {
    expect(grantsOf(claims)).toEqual(grants)
  })

  it.each([
    [writes('.vscode/tasks.json')],
    [writes('src/a.ts', 'CLAUDE.md')],
    [writes('.git/config')],
    [tree('write', '**')],
    [tree('write', 'src/**')],
    [writes('')],
    [reads('.')],
    [net('*')],
    [exec(' ')],
    [[]],
  ])('proposes nothing for what should not be remembered: %#', claims => {
    expect(grantsOf(claims)).toBeUndefined()
  })

  it.each([
    '!x',
    '~',
    '~/x',
    'x ',
    ' x',
    'a\\b',
    '$HOME',
    'a\u200Bb',
    'exec:x',
    'fs:read:x',
    'a\\\\b',
    'Read(x)',
    '%A%',
    'a{b',
    '**x',
    'x	y',
    '^x',
    'x$',
  ])('is understood again for the name %j', async name => {
    for (const path of [name, `src/${name}.ts`]) {
      const made = { major: 1, effects: [] }
      const claims = writes(path)
      const grants = proposeRule({ tool: 't', claims })?.grants
      const whole = { id: 'a', tool: 't', scope: 'user', who: 'me', at: 0, enabled: true, made, grants } as const
      const approval = await compileApproval(whole)
      const call = { tool: 't', made, input: '{}', claims, stated: claims, session: 's', workspace: 'w' }
      expect(matchApproval([approval], call, 1)).toBe(approval)
    }
  })

  it('always covers the call it was made for, and says so in words', async () => {
    for (const claims of [
      writes('src/a.ts'),
      writes('a'),
      tree('read', 'x/**'),
      exec('npm run build'),
      exec('git log --oneline -- a'),
      exec('a | b'),
      exec('git log | npm test; git status'),
      net('http://h:8080'),
    ]) {
      const made = { major: 1, effects: [] }
      const proposal = proposeRule({ tool: 't', claims })
      expect(proposal?.text).toMatch(/^t: /)
      const approval = await compileApproval({
        id: 'a',
        tool: 't',
        scope: 'user',
        who: 'me',
        at: 0,
        enabled: true,
        made,
        grants: proposal?.grants,
      })
      expect(
        matchApproval(
          [approval],
          { tool: 't', made, input: '{}', claims, stated: claims, session: 's', workspace: 'w' },
          1,
        ),
      ).toBe(approval)
    }
  })
})
