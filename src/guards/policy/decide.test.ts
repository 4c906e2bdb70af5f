import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { creates, reads, writes, writesFound, type Action, type Claim } from '../../kernel/claim.ts'
import { decide } from './decide.ts'
import { permitsInside } from './unreadable-paths.ts'
import { makePolicy, NO_POWER } from './policy.ts'
import type { Rule } from './rule.ts'
import { isStricter, type Verdict } from '../verdict.ts'
import { loadBothReaders } from '../../../tests/command-parsers.ts'

await loadBothReaders()

/** A claim on everything below a directory. */
const tree = (action: Action, resource: string): Claim[] => [{ action, resource }]

const rule = (verdict: Verdict, more: Partial<Rule>): Rule => ({
  id: `${verdict}:${more.path ?? more.command ?? more.host ?? more.secret ?? ''}`,
  action: 'write',
  verdict,
  source: 'user',
  ...more,
})
const exec = (resource: string): Claim[] => [{ action: 'exec', resource }]
const net = (resource: string): Claim[] => [{ action: 'net', resource }]

describe('decide', () => {
  it('allows what touches nothing', () => {
    expect(decide(makePolicy(), []).verdict).toBe('allow')
  })

  it('SG-25: allows reads and asks for the rest by default', () => {
    const policy = makePolicy()
    expect(decide(policy, reads('a')).verdict).toBe('allow')
    expect(decide(policy, writes('a'))).toMatchObject({ verdict: 'ask', missing: 'fs:write:a' })
    expect(decide(policy, exec('ls')).verdict).toBe('ask')
    expect(decide(policy, [{ action: 'reveal', resource: 'KEY' }])).toMatchObject({
      verdict: 'ask',
      missing: 'secret:KEY',
    })
  })

  it('names the permission of every part of a command line, but for those that a rule is about', () => {
    const rules = [rule('ask', { action: 'exec', command: 'rm' })]
    const missing = (line: string, policy = makePolicy()) => {
      const { missing: first, alsoMissing = [] } = decide(policy, exec(line))
      return [first, ...alsoMissing]
    }
    expect(missing('ls')).toEqual(['exec:ls'])
    expect(missing('ls; pwd && ls | wc -l')).toEqual(['exec:ls', 'exec:pwd', 'exec:wc -l'])
    expect(missing('ls; pwd', makePolicy({ defaults: { exec: 'deny' } }))).toEqual(['exec:ls', 'exec:pwd'])
    expect(missing('ls; $X')).toEqual(['exec'])
    expect(missing('ls; rm a', makePolicy({ rules }))).toEqual([undefined])
  })

  it('names the rule that allowed, where one did', () => {
    const rules = [rule('allow', { action: 'exec', command: 'git log' }), rule('allow', { path: 'src/**' })]
    const policy = makePolicy({ rules })
    expect(decide(policy, exec('git log -3'))).toMatchObject({ verdict: 'allow', rule: 'allow:git log' })
    expect(decide(policy, exec('for i in 1 2; do git log; done'))).toMatchObject({ rule: 'allow:git log' })
    expect(decide(policy, [...reads('a'), ...writes('src/a')])).toMatchObject({
      verdict: 'allow',
      rule: 'allow:src/**',
    })
    expect(decide(policy, reads('a')).rule).toBeUndefined()
    expect(decide(policy, [...writes('src/a'), ...writes('b')])).not.toHaveProperty('rule')
  })

  it('asks every time about a claim that brings its own reason, unless a rule denies it', () => {
    const [claim] = writes('a.ts').map(each => ({ ...each, asks: 'git has it' }))
    const claims = claim ? [claim] : []
    expect(decide(makePolicy({ rules: [rule('allow', { path: '**' })] }), claims)).toMatchObject({
      verdict: 'ask',
      why: 'write a.ts: git has it',
      always: true,
    })
    expect(decide(makePolicy({ rules: [rule('deny', { path: '**' })] }), claims).verdict).toBe('deny')
  })

  it('leaves changes that are only found later to be judged then, and nothing else', () => {
    const policy = makePolicy({ defaults: NO_POWER })
    expect(decide(policy, writesFound()).verdict).toBe('allow')
    const later: Claim = { action: 'net', resource: 'https://a.test', later: true }
    for (const claim of [
      later,
      { ...later, action: 'exec', resource: 'ls' },
      { ...later, action: 'read', resource: 'a' },
    ] as const)
      expect(decide(policy, [claim]).verdict).toBe('deny')
  })

  it('asks where neither a rule nor a default speaks', () => {
    expect(decide(makePolicy({ defaults: {} }), reads('a')).verdict).toBe('ask')
  })

  it('takes the strictest of all matching rules, and the strictest claim', () => {
    const policy = makePolicy({
      rules: [
        rule('allow', { path: 'src/**' }),
        rule('ask', { path: 'src/db/**' }),
        rule('deny', { path: '**/*.sql' }),
      ],
    })
    expect(decide(policy, writes('src/a.ts'))).toMatchObject({ verdict: 'allow' })
    expect(decide(policy, writes('src/db/a.ts'))).toMatchObject({ verdict: 'ask', rule: 'ask:src/db/**' })
    expect(decide(policy, writes('src/db/a.sql'))).toMatchObject({ verdict: 'deny', rule: 'deny:**/*.sql' })
    const both = decide(policy, writes('src/a.ts', 'src/b.sql'))
    expect(both).toMatchObject({ verdict: 'deny', claim: { resource: 'src/b.sql' } })
    expect(both.why).toContain('src/b.sql')
  })

  it('lets a rule stand in for a default, stricter or not', () => {
    const policy = makePolicy({ defaults: { write: 'deny' }, rules: [rule('allow', { path: 'src/**' })] })
    expect(decide(policy, writes('src/a')).verdict).toBe('allow')
    expect(decide(policy, writes('b')).verdict).toBe('deny')
    expect(decide(policy, creates('b')).verdict).toBe('deny')
  })

  it('never lets a rule that only narrows stand in for a stricter default', () => {
    const policy = makePolicy({
      defaults: { write: 'deny' },
      rules: [rule('ask', { path: '**', narrows: true, source: 'project' })],
    })
    expect(decide(policy, writes('a')).verdict).toBe('deny')
  })

  it('reads asks and denies generously: case, invisible characters, dots at the end', () => {
    const policy = makePolicy({ rules: [rule('allow', { path: '**' }), rule('deny', { path: 'Secrets/**' })] })
    for (const path of ['Secrets/a', 'secrets/a', 'SECRETS/a', 'secrets./a', 'sec\u200brets/a'])
      expect(decide(policy, writes(path)).verdict).toBe('deny')
    const allow = makePolicy({ defaults: { write: 'ask' }, rules: [rule('allow', { path: 'src/**' })] })
    expect(decide(allow, writes('SRC/a')).verdict).toBe('ask')
  })

  it('SG-18: normalizes a path before it is judged, and denies what leads out', () => {
    const policy = makePolicy({ rules: [rule('allow', { path: 'src/**' })] })
    expect(decide(policy, writes('src/../x')).verdict).toBe('ask')
    expect(decide(policy, writes('./src//a')).verdict).toBe('allow')
    for (const path of ['../x', 'src/../../x', '/etc/passwd']) expect(decide(policy, writes(path)).verdict).toBe('deny')
  })

  it('SG-18: keeps protected places whatever the rules say', () => {
    const policy = makePolicy({ permissions: ['fs:read', 'fs:write'], rules: [rule('allow', { path: '**' })] })
    expect(decide(policy, writes('.git/config'))).toMatchObject({ verdict: 'deny', rule: 'builtin:.git' })
    expect(decide(policy, creates('.sage/new')).verdict).toBe('deny')
    expect(decide(policy, [{ action: 'write', resource: '.git', link: true }]).verdict).toBe('deny')
    expect(decide(policy, reads('.git/config')).verdict).toBe('allow')
    const asked = decide(policy, writes('src/a.ts', '.vscode/tasks.json'))
    expect(asked).toMatchObject({ verdict: 'ask', always: true, rule: 'builtin:.vscode' })
    expect(asked.missing).toBeUndefined()
  })

  it('names the claim that only a person may answer, even behind another ask', () => {
    expect(decide(makePolicy(), writes('a', '.mcp.json'))).toMatchObject({
      always: true,
      claim: { resource: '.mcp.json' },
    })
  })

  it('refuses device names on Windows, and sees its separators', () => {
    const policy = makePolicy({ protection: { platform: 'win32' } })
    expect(decide(policy, reads('docs/NUL.txt'))).toMatchObject({ verdict: 'deny', rule: 'builtin:windows' })
    expect(decide(policy, reads('a\\..\\..\\x'))).toMatchObject({ verdict: 'deny', rule: 'builtin:outside' })
    expect(decide(policy, reads('src\\a.ts'))).toMatchObject({ verdict: 'allow' })
  })

  it('SG-07: denies without the permission and names the one that is missing', () => {
    const policy = makePolicy({
      defaults: NO_POWER,
      permissions: ['fs:read', 'fs:write:src/**', 'exec:git status', 'net:example.com'],
    })
    expect(decide(policy, reads('any')).verdict).toBe('allow')
    expect(decide(policy, [...writes('src/a'), ...creates('src/b')]).verdict).toBe('allow')
    expect(decide(policy, writes('docs/[a].md'))).toMatchObject({
      verdict: 'deny',
      missing: 'fs:write:docs/\\[a\\].md',
    })
    expect(decide(policy, exec('git push'))).toMatchObject({ verdict: 'deny', missing: 'exec:git push' })
    expect(decide(policy, net('https://evil.example'))).toMatchObject({ verdict: 'deny', missing: 'net:evil.example' })
  })

  it('gives a child no more than its parent has', () => {
    const parent = makePolicy({ defaults: NO_POWER, permissions: ['fs:read', 'fs:write:src/**'] })
    const child = makePolicy({ permissions: ['fs:write'], within: parent })
    expect(decide(child, writes('src/a')).verdict).toBe('allow')
    expect(decide(child, writes('docs/a')).verdict).toBe('deny')
    expect(decide(makePolicy({ within: parent }), writes('src/a')).verdict).toBe('ask')
  })
})

describe('decide over whole directories', () => {
  const policy = makePolicy({
    permissions: ['fs:write:src/**', 'fs:write:docs/*'],
    rules: [
      rule('deny', { path: '**/.env*', action: 'read' }),
      rule('ask', { path: 'keys/**', action: 'read' }),
      rule('deny', { path: 'src/db/**' }),
    ],
  })

  it('filters what may not be read inside a directory', () => {
    expect(decide(policy, tree('read', 'src/**'))).toMatchObject({ verdict: 'allow', filters: ['**/.env*'] })
    expect(decide(policy, tree('read', '**'))).toMatchObject({ verdict: 'allow', filters: ['**/.env*', 'keys/**'] })
    expect(decide(policy, tree('read', 'keys/a/**')).verdict).toBe('ask')
    expect(decide(policy, reads('src')).filters).toEqual([])
  })

  it('decides a write by the strictest rule that could match inside', () => {
    expect(decide(policy, tree('write', 'src/ui/**')).verdict).toBe('allow')
    expect(decide(policy, tree('write', 'src/**')).verdict).toBe('deny')
    expect(decide(policy, tree('write', 'docs/**')).verdict).toBe('ask')
    expect(decide(policy, tree('write', '.git/**')).verdict).toBe('deny')
    expect(decide(makePolicy({ permissions: ['fs:write'] }), tree('write', '**'))).toMatchObject({
      verdict: 'ask',
      always: true,
    })
  })

  it('meets the rules inside a name that is moved or deleted whole', () => {
    expect(decide(policy, [{ action: 'write', resource: 'src', link: true }]).verdict).toBe('deny')
    expect(decide(policy, [{ action: 'write', resource: 'src/ui', link: true }]).verdict).toBe('allow')
  })

  it('permits inside a directory what it decides for each path, also where nothing is closed', () => {
    const paths = ['a.txt', '.env', 'deep/.ssh/id_rsa', '../out', '/etc/passwd', 'a//b', 'a/../../b', 'x/.', '']
    const within = makePolicy({ rules: [{ id: 'r', source: 'user', action: 'read', path: 'a.txt', verdict: 'deny' }] })
    for (const asked of [makePolicy(), makePolicy({ asksForSecrets: false }), { ...makePolicy(), within }]) {
      const allowed = paths.filter(resource => decide(asked, [{ action: 'read', resource }]).verdict === 'allow')
      expect(paths.filter(permitsInside(asked, 'read', 'allow'))).toEqual(allowed)
    }
  })

  it('permits inside only what was decided', () => {
    const quiet = permitsInside(makePolicy({ permissions: ['fs:write'] }), 'write', 'allow')
    expect([quiet('src/a'), quiet('src/.git/config'), quiet('src/.vscode/x')]).toEqual([true, false, false])
    const asked = permitsInside(makePolicy(), 'write', 'ask')
    expect([asked('src/a'), asked('src/.git/config'), asked('src/.vscode/x')]).toEqual([true, false, true])
  })

  it('is never laxer for a directory than for a path in it, filters apart', () => {
    const globs = fc.constantFrom('a/**', '**/b', 'a/b', '*', 'a/*/b', '**', 'b/**')
    const rules = fc.array(fc.tuple(fc.constantFrom<Verdict>('allow', 'ask', 'deny'), globs), { maxLength: 5 })
    const path = fc.array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(
        rules,
        path,
        fc.nat(3),
        fc.constantFrom<Verdict>('allow', 'ask', 'deny'),
        (list, names, cut, write) => {
          const made = makePolicy({
            defaults: { write },
            rules: list.map(([verdict, glob], at) => ({ ...rule(verdict, { path: glob }), id: `r${at}` })),
          })
          const directory = [...names.slice(0, Math.min(cut, names.length - 1)), '**'].join('/')
          expect(
            isStricter(decide(made, writes(names.join('/'))).verdict, decide(made, tree('write', directory)).verdict),
          ).toBe(false)
        },
      ),
    )
  })
})

describe('decide over commands and hosts', () => {
  const dev = makePolicy({
    rules: [
      ...['git', 'npm test', 'ls'].map(command => rule('allow', { action: 'exec', command })),
      ...['git push', 'curl', 'rm -rf'].map(command => rule('deny', { action: 'exec', command })),
    ],
  })

  it.each([
    ['git status', 'allow'],
    ['git commit -m "a b"', 'allow'],
    ['npm test', 'allow'],
    ['npm tests', 'ask'],
    ['npm run x', 'ask'],
    ['git push origin', 'deny'],
    ['/usr/bin/git push', 'deny'],
    ['git -C . push', 'deny'],
    ['ls; curl evil', 'deny'],
    ['ls $(curl evil)', 'deny'],
    ['ls && ls', 'allow'],
    ['ls && npm run x', 'ask'],
    ['env curl evil', 'deny'],
    ['ls > x', 'ask'],
    ['ls "$HOME"', 'ask'],
    ["ls 'a", 'ask'],
    ['X=1 ls', 'ask'],
    ['./git status', 'ask'],
    ['', 'ask'],
  ])('SG-16: %s is %s', (command, verdict) => {
    expect(decide(dev, exec(command)).verdict).toBe(verdict)
  })

  it('SG-16: asks about shell syntax under a policy that only denies', () => {
    const policy = makePolicy({
      defaults: { exec: 'allow' },
      rules: [rule('allow', { action: 'exec', command: '*' }), rule('deny', { action: 'exec', command: 'rm' })],
    })
    expect(decide(policy, exec('ls -l')).verdict).toBe('allow')
    expect(decide(policy, exec('ls | sh')).verdict).toBe('ask')
    expect(decide(policy, exec('ls; rm x')).verdict).toBe('deny')
    expect(decide(policy, exec("r'm' x")).verdict).toBe('deny')
    const closed = makePolicy({ defaults: { exec: 'deny' }, rules: [rule('deny', { action: 'exec', command: 'rm' })] })
    expect(decide(closed, exec('ls | sh')).verdict).toBe('deny')
  })

  it('SG-16: names the part of a line that is not allowed, and the permission for it', () => {
    expect(decide(dev, exec('git log | head -3; npm test'))).toMatchObject({
      verdict: 'ask',
      missing: 'exec:head -3',
      why: "exec git log | head -3; npm test: 'head -3': no rule, and the default for exec is ask",
    })
    expect(decide(dev, exec('ls; curl evil'))).toMatchObject({ verdict: 'deny', rule: 'deny:curl' })
    expect(decide(dev, exec('ls > x'))).toMatchObject({ verdict: 'ask', missing: 'exec' })
  })

  it('SG-16: lets an ask for a command stand in for a stricter default, unless it only narrows', () => {
    const asking = (more: Partial<Rule>) =>
      makePolicy({ defaults: { exec: 'deny' }, rules: [rule('ask', { action: 'exec', command: 'git push', ...more })] })
    expect(decide(asking({ always: true }), exec('git -C . push'))).toMatchObject({ verdict: 'ask', always: true })
    expect(decide(asking({}), exec('git push; ls')).verdict).toBe('deny')
    expect(decide(asking({ narrows: true }), exec('git push')).verdict).toBe('deny')
  })

  it('names all parts of a line that are not allowed, and offers no permission that would not help', () => {
    const policy = makePolicy({ rules: [rule('allow', { action: 'exec', command: 'ls' })] })
    expect(decide(policy, exec('ls; curl a; wget b')).why).toMatch(/'curl a': no rule.*; the same goes for 'wget b'$/)
    expect(decide(policy, exec('a;b;c;d;e;f;g;h')).why).toMatch(/the same goes for 'b', 'c', 'd', 'e', 'f' and 2 more$/)
    expect(decide(policy, exec('# nothing'))).not.toHaveProperty('missing')
  })

  it('denies a line that has git show a file that may not be read', () => {
    const policy = makePolicy({
      rules: [rule('allow', { action: 'exec', command: 'git' }), rule('deny', { action: 'read', path: '**/.env*' })],
    })
    for (const line of [
      'git show HEAD:.env',
      'git log -p -- app/.env.local',
      'ls; git -C . show main:./.env',
      "sh -c 'git show :.env'",
    ])
      expect(decide(policy, exec(line))).toMatchObject({ verdict: 'deny', rule: 'deny:**/.env*' })
    expect(decide(policy, exec('git show HEAD:a')).verdict).toBe('allow')
    expect(decide(policy, exec('git commit -m .env')).verdict).toBe('allow')
  })

  it('tells hosts and ports apart', () => {
    const policy = makePolicy({
      rules: [
        rule('allow', { action: 'net', host: '*.example.com' }),
        rule('allow', { action: 'net', host: 'localhost:8080' }),
        rule('deny', { action: 'net', host: 'bad.example.com' }),
      ],
    })
    const verdicts = [
      'https://a.example.com',
      'http://A.EXAMPLE.com.',
      'https://example.com',
      'https://aexample.com',
      'https://a.example.com:22',
    ].map(origin => decide(policy, net(origin)).verdict)
    expect(verdicts).toEqual(['allow', 'allow', 'ask', 'ask', 'ask'])
    expect(decide(policy, net('http://localhost:8080')).verdict).toBe('allow')
    expect(decide(policy, net('https://bad.example.com:8443')).verdict).toBe('deny')
    expect(decide(policy, net('https://user@a.example.com')).verdict).toBe('deny')
    expect(decide(policy, net('::nonsense::')).verdict).toBe('deny')
  })
})
