// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository } from './git-world.ts'

const it = needs('bubblewrap')

const opened = async (workspace: TemporaryWorkspace) => {
  const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
  return async (command: string): Promise<Outcome> => (await kit.run('run', { command })).outcome
}

/** A repository in the shape that git finds without a `.git`; its configuration runs a program at `git status`. */
const plant = (directory: string): string =>
  [
    `mkdir -p ${directory}/objects ${directory}/refs`,
    `echo 'ref: refs/heads/main' > ${directory}/HEAD`,
    `printf '[core]\\nrepositoryformatversion = 0\\nbare = false\\nworktree = .\\nfsmonitor = touch ran; false\\n' > ${directory}/config`,
  ].join('; ')

describe('a repository that a command breaks', () => {
  it.each([
    ['HEAD is emptied', ': > .git/HEAD'],
    ['HEAD is no reference', 'echo nonsense > .git/HEAD'],
    ['HEAD leads out of refs', "echo 'ref: ../evil' > .git/HEAD"],
    ['HEAD leads out of refs by dots', "echo 'ref: refs/../../evil' > .git/HEAD"],
    ['HEAD cannot be read', 'chmod 000 .git/HEAD'],
    ['HEAD is a link', 'rm .git/HEAD; ln -s refs/heads/main .git/HEAD'],
    ['HEAD is a directory', 'rm .git/HEAD; mkdir .git/HEAD'],
    ['HEAD is gone', 'rm .git/HEAD'],
    ['refs is gone', 'rm -rf .git/refs'],
    ['refs is a file', 'rm -rf .git/refs; echo x > .git/refs'],
    ['objects is gone', 'rm -rf .git/objects'],
    ['objects is a link', 'mv .git/objects .git/elsewhere; ln -s elsewhere .git/objects'],
  ])('stays whole, and it is said: %s', async (_what, line) => {
    await using workspace = repository()
    const before = workspace.snapshot()
    const run = await opened(workspace)
    const outcome = await run(`${line}; echo x > .git/ORIG_HEAD; echo b > b.txt`)
    expect(outcome).toMatchObject({ ok: true, meta: { changed: ['b.txt'] } })
    expect(outcome.meta.warnings?.join()).toContain('Not kept: anything the command changed under .git')
    const { 'b.txt': _b, ...after } = workspace.snapshot()
    expect(after).toEqual(before)
    expect(git(workspace, 'status', '--short')).toBe('?? b.txt')
  })

  it('is not meant by a branch, a detached HEAD or a new repository', async () => {
    await using workspace = repository()
    const run = await opened(workspace)
    const outcome = await run(
      'git checkout -q --detach && git checkout -q -b fix/größe-1.2 && git checkout -q --detach',
    )
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(outcome.meta.warnings?.join() ?? '').not.toContain('no repository')
    expect(workspace.read('.git/HEAD')).toMatch(/^[0-9a-f]{40}\n$/)
    await run('git checkout -q fix/größe-1.2')
    expect(git(workspace, 'symbolic-ref', '--short', 'HEAD')).toBe('fix/größe-1.2')
    await using plain = temporaryWorkspace({ 'a.txt': 'one\n' })
    await (
      await opened(plain)
    )('git init -q -b main')
    expect(git(plain, 'status', '--short')).toBe('?? a.txt')
  })
})

describe('a repository that a command plants among ordinary files', () => {
  it.each([
    ['in the workspace itself', plant('.')],
    ['in the workspace itself, with a broken HEAD beside it', `${plant('.')}; : > .git/HEAD`],
    ['in a directory', plant('docs/remote')],
    ['where git ignores it', plant('node_modules/x')],
    ['with git itself', 'git init -q --bare dist/remote.git'],
    ['without objects', 'echo x > HEAD; echo "[core]" > config'],
    ['with its objects elsewhere', "echo 'ref: refs/heads/main' > HEAD; echo .git > commondir"],
    ['with its objects behind links', "echo 'ref: refs/heads/main' > HEAD; ln -s .git/objects .git/refs ."],
    ['over what was there', 'mkdir half/refs'],
    ['with a HEAD beside a configuration that was there', 'echo x > settled/HEAD'],
  ])('is refused with all the command changed: %s', async (_what, line) => {
    await using workspace = repository({
      'half/HEAD': 'ref: refs/heads/main\n',
      'half/objects/x': 'x',
      'settled/config': '[core]\n',
    })
    const before = workspace.snapshot()
    const run = await opened(workspace)
    const outcome = await run(`${line}; echo b > b.txt`)
    expect(outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(outcome.ok || outcome.error.message).toContain('in the shape of a bare git repository')
    expect(workspace.snapshot()).toEqual(before)
    git(workspace, 'status', '--short')
    expect(existsSync(join(workspace.path, 'ran'))).toBe(false)
  })

  it('is not meant by single files of those names', async () => {
    await using workspace = repository()
    const run = await opened(workspace)
    const outcome = await run('mkdir -p objects a; echo x > config; echo y > HEAD; echo "[core]" > a/config')
    expect(outcome.ok && outcome.meta.changed).toEqual(['HEAD', 'a', 'a/config', 'config', 'objects'])
  })
})
