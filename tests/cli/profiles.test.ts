// oxlint-disable vitest/no-standalone-expect -- `needs` gives the test, which the rule does not see
import { describe, expect, it } from 'vitest'
import { openToolkit } from '../../src/index.ts'
import { needs } from '../needs.ts'
import { lines, useCli } from './rig.ts'

const cli = useCli({ 'a.txt': 'one\n' })

const CONFIG = {
  policy: {
    commands: { allow: ['cat'], deny: ['git push'] },
    profiles: {
      ci: { allow: ['npm test', 'touch'], deny: ['rm'], default: 'deny' },
      review: { ask: ['cat'] },
    },
  },
}

const verdictOf = async (command: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  JSON.parse((await cli.run(['policy', 'check', command, '--json', ...args], { env })).out).verdict

describe('SG-16: a profile of commands', () => {
  it.each([
    ['npm test', [], {}, 'ask'],
    ['npm test', ['--profile', 'ci'], {}, 'allow'],
    ['npm test', [], { TOOLWRIGHT_PROFILE: 'ci' }, 'allow'],
    ['npm test', ['--profile', 'review'], { TOOLWRIGHT_PROFILE: 'ci' }, 'ask'],
    ['npm test', [], { TOOLWRIGHT_PROFILE: '' }, 'ask'],
    ['rm a.txt', [], {}, 'ask'],
    ['rm a.txt', ['--profile', 'ci'], {}, 'deny'],
    ['make', ['--profile', 'ci'], {}, 'deny'],
    ['cat a.txt', ['--profile', 'ci'], {}, 'allow'],
    ['cat a.txt', ['--profile', 'review'], {}, 'ask'],
    ['git push', ['--profile', 'ci'], {}, 'deny'],
    ['git push', ['--profile', 'ci', '--allow', 'exec:git push'], {}, 'deny'],
  ])('is added to the lists that always count: %s, %j, %j: %s', async (command, args, env, verdict) => {
    cli.configure(CONFIG)
    expect(await verdictOf(command, args, env)).toBe(verdict)
  })

  it('is refused by name where no configuration has it', async () => {
    const unknown = await cli.run(['policy', 'check', 'ls', '--profile', 'ci'])
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining("has no profile 'ci'") })
    cli.configure(CONFIG)
    const { code, err } = await cli.run(['call', 'read', '{"path":"a.txt"}'], { env: { TOOLWRIGHT_PROFILE: 'CI' } })
    expect([code, err]).toEqual([2, expect.stringMatching(/has no profile 'CI'[^]*Choose ci or review with --profile/)])
    for (const name of ['constructor', '__proto__'])
      expect((await cli.run(['policy', 'list', '--profile', name])).err).toContain(`has no profile '${name}'`)
  })

  it('is shown by policy list with its lists, and whether it counts', async () => {
    cli.configure(CONFIG)
    const { out } = await cli.run(['policy', 'list', '--profile', 'ci'])
    expect(out).toContain('profile ci  on   user\n    allow npm test, allow touch, deny rm, otherwise deny\n')
    expect(out).toContain('profile review  off  user\n    ask cat\n')
    const [listed] = lines((await cli.run(['policy', 'list', '--json'], { env: { TOOLWRIGHT_PROFILE: 'review' } })).out)
    expect(listed).toEqual([
      { profile: 'ci', source: 'user', enabled: false, ...CONFIG.policy.profiles.ci },
      { profile: 'review', source: 'user', enabled: true, ask: ['cat'] },
    ])
  })

  it('has its rules named by file and line', async () => {
    cli.configure(CONFIG)
    const { rule } = JSON.parse((await cli.run(['policy', 'check', 'rm x', '--profile', 'ci', '--json'])).out)
    const file = JSON.stringify(CONFIG)
    expect(rule).toMatchObject({ id: 'user:deny rm', from: expect.stringMatching(/config\.json:1:\d+$/) })
    expect(file.slice(Number(String(rule.from).split(':').at(-1)) - 1)).toMatch(/^"rm"/)
  })

  it('of a project only narrows until the project is trusted', async () => {
    const project = { policy: { profiles: { ci: { allow: ['npm test'], deny: ['cat'] } } } }
    cli.workspace.write('toolwright.json', JSON.stringify(project))
    expect(await verdictOf('cat a.txt')).toBe('ask')
    expect(await verdictOf('cat a.txt', ['--profile', 'ci'])).toBe('deny')
    expect(await verdictOf('npm test', ['--profile', 'ci'])).toBe('ask')
    expect((await cli.run(['trust'])).code).toBe(0)
    expect(await verdictOf('npm test', ['--profile', 'ci'])).toBe('allow')
    expect(await verdictOf('npm test')).toBe('ask')
  })

  it.each([
    [{ ci: { allow: ['rm*'] } }, "'rm*'"],
    [{ ci: { permit: ['ls'] } }, "unknown key 'permit' in 'policy.profiles.ci'"],
    [{ ci: { default: 'never' } }, "'never' is 'deny' here"],
    [{ '': {} }, 'profiles'],
  ])('is refused when it is loaded, chosen or not: %j', async (profiles, said) => {
    cli.configure({ policy: { profiles } })
    expect(await cli.run(['policy', 'list'])).toMatchObject({ code: 2, err: expect.stringContaining(said) })
  })

  it('is an option of the library', async () => {
    cli.configure(CONFIG)
    const { path: root, env } = cli.workspace
    const kit = await openToolkit({ root, env, profile: 'ci' })
    try {
      expect(kit.checkCommand('rm a.txt').verdict).toBe('deny')
      expect(kit.checkCommand('npm test').verdict).toBe('allow')
    } finally {
      await kit.close()
    }
  })

  needs('bubblewrap')('decides what runs', async () => {
    cli.configure({ policy: { ...CONFIG.policy, defaults: { write: 'allow' } } })
    const run = (file: string, ...options: readonly string[]) =>
      cli.run(['call', 'run', JSON.stringify({ command: `touch ${file}` }), ...options])
    expect((await run('asked.txt')).code).toBe(3)
    expect((await run('made.txt', '--profile', 'ci')).code).toBe(0)
    expect(Object.keys(cli.workspace.snapshot())).toEqual(expect.arrayContaining(['made.txt']))
    expect(Object.keys(cli.workspace.snapshot())).not.toContain('asked.txt')
    expect(await cli.run(['call', 'run', '{"command":"rm a.txt"}', '--yes', '--profile', 'ci'])).toMatchObject({
      code: 3,
      out: expect.stringContaining('user:deny rm'),
    })
    expect(cli.workspace.read('a.txt')).toBe('one\n')
  })
})
