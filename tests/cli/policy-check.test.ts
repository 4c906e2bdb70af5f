import { describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({ 'src/a.ts': 'a\n' })

const CONFIG = {
  policy: {
    commands: { allow: ['git log'], ask: ['git commit'], deny: ['git push'] },
    rules: [{ action: 'write', path: 'src/gen/**', verdict: 'deny', why: 'generated' }],
  },
}

describe('policy check with an argument', () => {
  it.each([
    [['git push origin main'], 3, 'deny', 'user:deny git push'],
    [['git', 'push', 'origin', 'main'], 3, 'deny', 'user:deny git push'],
    [['git log --oneline'], 0, 'allow', 'user:allow git log'],
    [['git commit -m x'], 1, 'ask', 'user:ask git commit'],
    [['make'], 1, 'ask', undefined],
    [['make', '--deny', 'exec:make'], 3, 'deny', 'deny:exec:make'],
    [['make', '--allow', 'exec:make'], 0, 'allow', 'permission:exec:make'],
    [['--write', 'src/a.ts'], 1, 'ask', undefined],
    [['src/a.ts', '--read'], 0, 'allow', undefined],
    [['--read', '.env'], 1, 'ask', undefined],
    [['--create', 'src/gen/b.ts'], 3, 'deny', 'user:1'],
    [['--write', '.git/config'], 3, 'deny', 'builtin:.git'],
    [['example.com', '--host'], 1, 'ask', undefined],
    [['https://example.com:8443', '--host', '--allow', 'net:example.com:8443'], 0, 'allow', undefined],
  ])('%j ends with %i: %s by %s', async (args, code, verdict, rule) => {
    cli.configure(CONFIG)
    const ended = await cli.run(['policy', 'check', ...args, '--json'])
    const answer = JSON.parse(ended.out)
    expect([ended.code, answer.verdict]).toEqual([code, verdict])
    if (rule !== undefined) expect(answer.rule.id).toBe(rule)
    expect(answer.claims.length).toBeGreaterThan(0)
  })

  it('names the file and line of the rule, and the rules that hold when programs start', async () => {
    cli.configure(CONFIG)
    const { out } = await cli.run(['policy', 'check', 'git push'])
    expect(out).toMatch(/^✗ denied {2}exec git push\n {2}rule {6}deny exec git push {2}.*config\.json:1:\d+\n/)
    expect(out).toMatch(/at start {2}git asks for git commit {2}.*\n +git refuses git push {2}/)
    expect(JSON.parse((await cli.run(['policy', 'check', 'ls', '--json'])).out).atStart).toMatchObject([
      { programs: ['git'], verdict: 'ask', command: 'git commit', rule: 'user:ask git commit' },
      { programs: ['git'], verdict: 'deny', command: 'git push', rule: 'user:deny git push' },
    ])
  })

  it('runs nothing and changes nothing', async () => {
    const before = cli.workspace.snapshot()
    await cli.run(['policy', 'check', 'touch made', '--allow', 'exec'])
    expect(cli.workspace.snapshot()).toEqual(before)
  })

  it.each([[['--write', '--read', 'a']], [[]], [['--write', 'a', 'b']], [['ht tp://', '--host']]])(
    'refuses %j as usage',
    async args => {
      expect((await cli.run(['policy', 'check', ...args])).code).toBe(2)
    },
  )
})
