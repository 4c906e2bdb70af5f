import { describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({ 'src/a.ts': 'a\n', 'docs/b.md': 'b\n' })

interface Report {
  readonly findings: readonly {
    readonly rule: string
    readonly kind: string
    readonly by?: string
    readonly what: string
  }[]
  readonly looked: { readonly rules: number; readonly answers: number; readonly calls: number }
}

async function lint(config: object): Promise<Report & { readonly code: number }> {
  cli.configure(config)
  const { code, out } = await cli.run(['policy', 'lint', '--json'])
  return { code, ...JSON.parse(out) }
}

const commands = (lists: object): object => ({ policy: { commands: lists } })
const rules = (...list: readonly object[]): object => ({ policy: { rules: list } })
const path = (verdict: string, action: string, glob: string): object => ({ action, path: glob, verdict })

describe('policy lint', () => {
  it.each([
    [
      'an allow under a deny',
      commands({ allow: ['git push origin'], deny: ['git push'] }),
      'user:allow git push origin',
      'user:deny git push',
    ],
    ['an ask under a deny', commands({ ask: ['rm -rf'], deny: ['rm'] }), 'user:ask rm -rf', 'user:deny rm'],
    [
      'an allow under an ask',
      commands({ allow: ['make test'], ask: ['make'] }),
      'user:allow make test',
      'user:ask make',
    ],
    [
      'an allow under another',
      commands({ allow: ['git log --oneline', 'git log'] }),
      'user:allow git log --oneline',
      'user:allow git log',
    ],
    [
      'a path in a denied directory',
      rules(path('deny', 'write', 'src/**'), path('allow', 'write', 'src/a.ts')),
      'user:2',
      'user:1',
    ],
    [
      'a directory in a denied one',
      rules(path('allow', 'write', 'src/gen/**'), path('deny', 'write', 'src/**')),
      'user:1',
      'user:2',
    ],
    [
      'creating under writing',
      rules(path('allow', 'create', 'out/**'), path('deny', 'write', 'out/**')),
      'user:1',
      'user:2',
    ],
    [
      'a host under a wider one',
      rules(
        { action: 'net', host: 'a.example.com', verdict: 'allow' },
        { action: 'net', host: '*.example.com', verdict: 'deny' },
      ),
      'user:1',
      'user:2',
    ],
    [
      'anything under a rule for all',
      rules(path('allow', 'write', 'x'), { action: 'write', verdict: 'deny' }),
      'user:1',
      'user:2',
    ],
  ])('names a shadowed rule: %s', async (_name, config, rule, by) => {
    const { code, findings } = await lint(config)
    expect(findings.filter(({ kind }) => kind === 'shadowed')).toMatchObject([{ rule, by }])
    expect(code).toBe(1)
  })

  it.each([
    ['a narrower deny', commands({ allow: ['git log'], deny: ['git log --all'] })],
    ['writing under creating', rules(path('allow', 'write', 'out/**'), path('deny', 'create', 'out/**'))],
    ['an overlap in part', rules(path('allow', 'write', '*/a.ts'), path('deny', 'write', 'src/*'))],
    ['a rule with its own files', commands({ allow: [{ command: 'ls', writes: [] }, 'ls -l'] })],
    [
      'a deny of the line alone',
      rules(
        { action: 'exec', command: 'git push', verdict: 'deny', depth: 'line' },
        { action: 'exec', command: 'git push', verdict: 'deny' },
      ),
    ],
    ['no rule at all', {}],
  ])('finds nothing shadowed in %s', async (_name, config) => {
    expect(
      (await lint(config)).findings.filter(({ kind, rule }) => kind === 'shadowed' && rule !== 'user:allow ls -l'),
    ).toEqual([])
  })

  it.each([
    ['git', commands({ allow: ['git'] }), "'git push'"],
    ['python3', commands({ allow: ['python3'] }), "'python3 x.py'"],
    ['every command', commands({ allow: ['*'] }), 'every exec'],
    ['every file', rules(path('allow', 'write', '**')), 'every write, create'],
    ['every host', rules({ action: 'net', host: '*', verdict: 'allow' }), 'every net'],
  ])('names what is wider than it looks: %s', async (_name, config, what) => {
    expect((await lint(config)).findings).toMatchObject([{ kind: 'wide', what: expect.stringContaining(what) }])
  })

  it('names what no call matched, and says how many calls it looked at', async () => {
    cli.configure(rules(path('allow', 'write', 'src/**'), path('allow', 'write', 'never/**')))
    await cli.call('write', { path: 'src/new.ts', content: 'x\n', expect: 'absent' })
    await cli.call('read', { path: 'docs/b.md' })
    const { code, out } = await cli.run(['policy', 'lint', '--json'])
    const { findings, looked }: Report = JSON.parse(out)
    expect(findings).toMatchObject([{ rule: 'user:2', kind: 'unmatched' }])
    expect([code, looked]).toEqual([1, { rules: 2, answers: 0, calls: 2 }])
    expect((await cli.run(['policy', 'lint'])).out).toMatch(
      /^! unmatched .*never\/\*\*.*config\.json:1:\d+\n.*\n1 finding\. Looked at 2 rules/m,
    )
  })

  it('names remembered answers that approve nothing any more, or too much', async () => {
    await cli.run(['policy', 'add', 'write', '--path', '**'])
    const { out } = await cli.run(['policy', 'add', 'edit', '--path', 'a'])
    await cli.run(['policy', 'disable', out.trim().split(' ').at(-1) ?? ''])
    const { findings } = await lint({})
    expect(findings.map(({ kind }) => kind).toSorted()).toEqual(['shadowed', 'wide'])
  })

  it.each([
    ['git Psuh', 'deny', 'git push'],
    ['git psuh', 'deny', 'git push'],
    ['git PUSH', 'deny', 'git push'],
    ['git -C x comit', 'deny', 'git commit'],
    ['git chekout --force', 'ask', 'git checkout'],
    ['git rebas', 'allow', 'git rebase'],
  ])('names a command that git does not have: %s', async (command, list, meant) => {
    const { findings } = await lint(commands({ [list]: [command] }))
    expect(findings).toMatchObject([{ kind: 'unknown', what: expect.stringContaining(`did you mean ${meant}?`) }])
  })

  it.each(['git town sync', 'git flow', 'git pus*', 'git push', 'git', 'npm psuh', 'git lfs pull', 'git stage'])(
    'says nothing of what may be an alias or a program: %s',
    async command => {
      expect((await lint(commands({ deny: [command] }))).findings).toEqual([])
    },
  )

  it('counts one of a kind as one', async () => {
    cli.configure(rules(path('allow', 'write', 'src/**')))
    await cli.run(['policy', 'add', 'edit', '--path', 'a'])
    await cli.call('write', { path: 'src/one.ts', content: 'x\n', expect: 'absent' })
    expect((await cli.run(['policy', 'lint'])).out).toContain(
      '1 finding. Looked at 1 rule, 1 remembered answer and the claims of the newest 1 call here',
    )
  })

  it('ends with 0 where nothing is odd', async () => {
    expect(await lint({})).toMatchObject({ code: 0, findings: [], looked: { rules: 0, answers: 0, calls: 0 } })
  })
})
