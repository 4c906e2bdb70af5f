// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it as always } from 'vitest'
import { runIn } from '../cli/rig.ts'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

const FILES = {
  'secrets/k': 'SEEN\n',
  'secrets/deep/er/k': 'SEEN\n',
  'pkg/.env.d/a': 'SEEN\n',
  'src/a/b.txt': 'SEEN\n',
  'a.txt': 'SEEN\n',
  'free.txt': 'free\n',
}

/** A rule, and a call that leaves a mark unless the rule covers what the directory holds. */
interface Row {
  readonly action: 'read' | 'write' | 'create'
  readonly path: string
  readonly tool: string
  readonly input: object
  /** Both unless given: what git has in its history is kept back by rules that deny. */
  readonly verdicts?: readonly ('deny' | 'ask')[]
  /** The rule is not about this. */
  readonly isFree?: true
}

const run = (command: string) => ({ tool: 'run', input: { command } })
const read = (path: string) => ({ tool: 'read', input: { path } })
const write = (path: string) => ({ tool: 'write', input: { path, content: 'MARK\n' } })

const ROWS: readonly Row[] = [
  { action: 'read', path: 'secrets', ...read('secrets/k') },
  { action: 'read', path: 'secrets', ...read('secrets/deep/er/k') },
  { action: 'read', path: './secrets', ...read('secrets/k') },
  { action: 'read', path: 'SECRETS', ...read('secrets/k') },
  { action: 'read', path: '**/deep', ...read('secrets/deep/er/k') },
  { action: 'read', path: '**/.env*', ...read('pkg/.env.d/a') },
  { action: 'read', path: '{secrets,other}', ...read('secrets/k') },
  { action: 'read', path: 'secret?', ...read('secrets/k') },
  { action: 'read', path: 'secrets', tool: 'grep', input: { pattern: 'SEEN', path: 'secrets' } },
  { action: 'read', path: 'secrets', tool: 'grep', input: { pattern: 'SEEN', globs: ['secrets/**'] } },
  { action: 'read', path: 'secrets', ...run('cat secrets/k') },
  { action: 'read', path: 'secrets', ...run('cat secrets/deep/er/k') },
  { action: 'read', path: 'secrets', ...run('cp -r secrets /tmp/out; cat /tmp/out/k') },
  { action: 'read', path: 'secrets', ...run('git show HEAD:secrets/k'), verdicts: ['deny'] },
  { action: 'read', path: 'secrets', ...run('git log -p -- secrets'), verdicts: ['deny'] },
  { action: 'write', path: 'secrets', ...write('secrets/new') },
  { action: 'write', path: 'secrets', ...write('secrets/deep/new') },
  {
    action: 'create',
    path: 'secrets',
    tool: 'write',
    input: { path: 'secrets/new', content: 'MARK\n', expect: 'absent' },
  },
  { action: 'write', path: 'secrets', ...run('echo MARK > secrets/new') },
  { action: 'write', path: 'secrets', ...run('echo MARK > secrets/deep/k; rm -f free.txt') },
  { action: 'write', path: 'secrets', tool: 'move', input: { from: 'a.txt', to: 'secrets/moved' } },
  { action: 'write', path: '**/deep', ...write('secrets/deep/new') },
  { action: 'read', path: 'src/*', ...read('src/a/b.txt'), isFree: true },
  { action: 'read', path: 'secret', ...read('secrets/k'), isFree: true },
  { action: 'read', path: '*', ...read('src/a/b.txt'), isFree: true },
  { action: 'write', path: 'src/*', ...write('src/a/new'), isFree: true },
  { action: 'read', path: 'deep', ...read('secrets/deep/er/k'), isFree: true },
]

describe('a rule that denies or asks about a directory covers what is in it', () => {
  const cases = ROWS.flatMap(row =>
    (row.verdicts ?? (['deny', 'ask'] as const)).map(verdict => [verdict, row] as const),
  )
  it.each(
    cases.map(([verdict, row]) => [verdict, row.action, row.path, row.tool, JSON.stringify(row.input), row] as const),
  )('%s %s %s: %s %s', async (verdict, action, path, tool, input, row) => {
    await using workspace = repository(FILES)
    mkdirSync(join(workspace.base, 'config'), { recursive: true })
    writeFileSync(
      join(workspace.base, 'config/config.json'),
      JSON.stringify({ policy: { rules: [{ action, path, verdict }] } }),
    )
    const before = workspace.snapshot()
    const allowed = ['fs:read', 'fs:write', 'exec'].flatMap(each => ['--allow', each])
    const { bytes } = await runIn(workspace, ['call', tool, input, '--json', ...allowed], {})
    const hasEffect = bytes.includes('SEEN') || JSON.stringify(workspace.snapshot()) !== JSON.stringify(before)
    expect(hasEffect).toBe(row.isFree === true)
  })

  always.each([
    '!*.ts',
    'secrets ',
    'src\\a',
    '~/x',
    '$HOME/x',
    '/etc/passwd',
    'src/**.ts',
    'Read(src/**)',
    'C:\\x',
    'a\u200B',
  ])('a path that can match nothing stops the start: %j', async path => {
    await using workspace = repository(FILES)
    for (const verdict of ['deny', 'ask', 'allow']) {
      workspace.write('toolwright.json', JSON.stringify({ policy: { rules: [{ action: 'read', path, verdict }] } }))
      const { code, err, out } = await runIn(workspace, ['read', 'a.txt'], {}).then(({ bytes, ...ended }) => ({
        ...ended,
        out: bytes.toString(),
      }))
      expect([code, out]).toEqual([2, ''])
      expect(err).toMatch(/refused/)
    }
    await expect(workspace.open({ denials: [`fs:read:${path}`] })).rejects.toThrow(/refused/)
  })

  always.each([
    ['.evil.com', '*.evil.com'],
    ['*evil.com', '*.evil.com'],
    ['https://evil.com/x', 'evil.com'],
    ['domain:evil.com', 'evil.com'],
    ['evil.com/', 'evil.com'],
    ['*.10.0.0.1', '10.0.0.1'],
  ])('a host that can match nothing stops the start: %s', async (host, spelling) => {
    await using workspace = repository(FILES)
    const opened = workspace.open({ denials: [`net:${host}`] })
    await expect(opened).rejects.toMatchObject({ message: expect.stringContaining(host) })
    await expect(opened).rejects.toMatchObject({ hint: expect.stringContaining(spelling) })
  })
})
