import { describe, expect, it } from 'vitest'
import { repositoryOrder } from '../../workspace/repository-path.ts'
import { isGitContent, isGitPath, runsCommands } from './git-paths.ts'

describe('what may change under .git', () => {
  it.each([
    'HEAD',
    'ORIG_HEAD',
    'MERGE_MSG',
    'index',
    'packed-refs',
    'objects/ab/cdef',
    'objects/pack/pack-1.idx',
    'objects/info/commit-graph',
    'refs/heads/feature/x',
    'logs/HEAD',
    'rebase-merge/done',
    'sequencer/todo',
    `sharedindex.${'0a'.repeat(20)}`,
  ])('content: %s', path => expect(isGitContent(`.git/${path}`)).toBe(true))

  it.each([
    'config',
    'config.worktree',
    'hooks/pre-commit',
    'info/exclude',
    'info/attributes',
    'commondir',
    'gitdir',
    'worktrees/x/gitdir',
    'modules/sub/config',
    'objects/info/alternates',
    'objects/info/http-alternates',
    'index.lock',
    'refs/heads/main.lock',
    'refs/.git/config',
    'rebase-merge/strategy',
    'sequencer/opts',
    'HEAD/x',
    'sharedindex.x',
    'sharedindex.0a/x',
    'toolwright/x',
  ])('never: %s', path => expect(isGitContent(`.git/${path}`)).toBe(false))

  it('knows a repository at any depth, and content of the workspace’s own alone', () => {
    expect(['.git', 'a/.git/config', '.git/x', '.gitignore', 'a.git/x'].map(isGitPath)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
    expect(isGitContent('sub/.git/HEAD')).toBe(false)
  })

  it('finds a step that runs a command in a list of steps', () => {
    expect(runsCommands('.git/rebase-merge/git-rebase-todo', 'pick 1 x\nexec make\n')).toBe(true)
    expect(runsCommands('.git/rebase-merge/git-rebase-todo', 'pick 1 x\n x make\n')).toBe(true)
    expect(runsCommands('.git/rebase-merge/git-rebase-todo', 'pick 1 exec\n')).toBe(false)
    for (const step of ['exec\tmake', 'x', 'future-verb make', 'break\nexec make', '\rexec make', 'pickexec make'])
      expect([step, runsCommands('.git/sequencer/todo', `pick 1 x\n${step}\n`)]).toEqual([step, true])
    const plain =
      'label onto\n\nreset onto\np 1 x\nfixup -C 2 y\nmerge -C 3 z # Z\nupdate-ref refs/heads/a\nbreak\nnoop\n# exec\n'
    expect(runsCommands('.git/rebase-merge/git-rebase-todo', plain)).toBe(false)
  })

  it('puts content before what points at it', () => {
    const paths = ['.git/HEAD', '.git/index', '.git/refs/heads/x', '.git/objects/a/b', '.git/logs/HEAD']
    expect(paths.toSorted((a, b) => repositoryOrder(a) - repositoryOrder(b)).map(path => path.split('/')[1])).toEqual([
      'objects',
      'logs',
      'refs',
      'index',
      'HEAD',
    ])
  })
})
