import { describe, expect, it } from 'vitest'
import { judgeStart, namedProgram } from './judge-start.ts'
import type { CommandRule } from './judge-command.ts'

const rule = (verdict: CommandRule['verdict'], ...prefix: readonly string[]): CommandRule => ({
  id: prefix.join(' '),
  verdict,
  prefix,
})

const RULES = [rule('deny', 'git', 'push'), rule('ask', 'git', 'tag'), rule('deny', 'rm', '-rf'), rule('deny', 'vi')]

const judged = (path: string, args: readonly string[], names = ['git'], isFixed = path.startsWith('/usr/')) =>
  judgeStart({ names, path, isFixed, args }, RULES).verdict

describe('a start', () => {
  it.each([
    ['/usr/bin/git', ['push'], 'deny'],
    ['/usr/bin/git', ['-C', 'x', '--shallow-file', '', 'push', '--force'], 'deny'],
    ['/usr/lib/git-core/git-push', ['origin'], 'deny'],
    ['./harmless', ['push'], 'deny'],
    ['/tmp/git', ['push'], 'deny'],
    ['/usr/bin/git', ['-c', 'help.autocorrect=1', 'pussh'], 'ask'],
    ['/usr/bin/git', ['send-pack', 'x', 'main'], 'deny'],
    ['/usr/lib/git-core/git-http-push', ['x'], 'deny'],
    ['/usr/lib/git-core/git-remote-https', ['origin', 'https://x'], 'deny'],
    ['/usr/bin/git', ['remote-ext', 'x', 'y'], 'deny'],
    ['/usr/bin/git', ['remote', '-v'], 'allow'],
    ['/usr/bin/git', ['fetch-pack', 'x'], 'allow'],
    ['/usr/bin/git', ['tag', 'v1'], 'ask'],
    ['/usr/bin/git', ['stash', 'push'], 'allow'],
    ['/usr/bin/git', ['log', '--grep', 'push'], 'allow'],
    ['/usr/bin/git', ['lfs', 'push'], 'allow'],
    ['/usr/bin/git', ['commit', '-m', 'push'], 'allow'],
  ] as const)('of %s %j is judged by its real arguments: %s', (path, args, verdict) => {
    expect(judged(path, args)).toBe(verdict)
  })

  it('of a transport is a step of the command of git that connects, and of no other', () => {
    const helper = (...parent: readonly string[]) =>
      judgeStart(
        {
          names: ['git'],
          path: '/usr/lib/git-core/git-remote-https',
          isFixed: true,
          args: ['origin', 'https://x'],
          parent: () => parent,
        },
        [rule('deny', 'git', 'push'), rule('deny', 'git', 'commit')],
      ).verdict
    expect(helper('/usr/bin/git', 'fetch', '-q', 'origin')).toBe('allow')
    expect(helper('/usr/lib/git-core/git-remote-https', 'origin', 'https://x')).toBe('allow')
    expect(helper('git', '-c', 'http.x=y', 'clone', 'https://x')).toBe('allow')
    expect(helper('git', '-c', 'alias.x=!git remote-https x', 'x')).toBe('deny')
    expect(helper('git', '-c', 'core.sshCommand=git remote-https x', 'fetch', 'ssh://x')).toBe('deny')
    expect(helper('git', 'status')).toBe('deny')
    expect(helper('python3', 'x.py', 'git', 'fetch')).toBe('deny')
    expect(helper()).toBe('deny')
  })

  it('has the name of a link that nothing inside can create, and every name of its file by any other link', () => {
    expect(judged('/usr/bin/vim', ['x'], ['vi'])).toBe('allow')
    expect(judged('/usr/bin/vi', ['x'], ['vi'])).toBe('deny')
    expect(judged('./vim', ['x'], ['vi'])).toBe('deny')
  })

  it('of a program that holds many is of the one that its arguments name', () => {
    expect(judged('/usr/bin/busybox', ['rm', '-r', '-f', 'x'], ['rm'])).toBe('deny')
    expect(judged('/usr/bin/busybox', ['rm', 'x'], ['rm'])).toBe('allow')
    expect(judged('/usr/bin/rm', ['--recursive', '--force', 'x'], ['rm'])).toBe('deny')
  })
})

describe('the program of a file', () => {
  it('is the one that rules name, with a version or a subcommand behind it', () => {
    const programs = new Set(['git', 'python3'])
    const names = ['git', 'git-push', 'python3.12', 'python', 'gitk', 'GIT']
    expect(names.map(name => namedProgram(name, programs))).toEqual([
      'git',
      'git',
      'python3',
      'python3',
      undefined,
      'git',
    ])
  })
})
