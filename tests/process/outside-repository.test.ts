// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

const host = ({ base }: TemporaryWorkspace, script: string) =>
  execFileSync('/bin/sh', ['-ec', script], {
    cwd: base,
    env: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: 'pipe',
  }).toString()

const PREPARE =
  'git init -q -b main main; cd main; git config user.name T; git config user.email t@example.com; echo 1 > a; git add a; git commit -qm first'

const opened = async (workspace: TemporaryWorkspace) => {
  const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
  return async (command: string) => {
    const { outcome } = await kit.run('run', { command })
    if (!outcome.ok) throw outcome.error
    return { ...Object(outcome.data), warnings: outcome.meta.warnings?.join('\n') ?? '' }
  }
}

const WITHOUT_UNDO = expect.stringMatching(/^The repository .*, outside the workspace, changed, without undo: [^\n]*$/)

describe('a workspace whose repository is elsewhere', () => {
  it('is read and changed by git in commands where it is a linked work tree, but for what configures it', async () => {
    await using workspace = temporaryWorkspace()
    rmSync(workspace.path, { recursive: true })
    host(workspace, `${PREPARE}; git worktree add -q -b side ../workspace`)
    const run = await opened(workspace)
    const read = await run('echo 2 > a; git log --format=%s; git status --short; git diff --stat | tail -1')
    expect(read.stdout).toBe('first\n M a\n 1 file changed, 1 insertion(+), 1 deletion(-)\n')
    expect(read.warnings).toBe('')
    expect(await run('git commit -qam second')).toMatchObject({ exitCode: 0, warnings: WITHOUT_UNDO })
    const written = await run(
      `echo x > ${join(workspace.base, 'main/.git/hooks/x')}; ls ${join(workspace.base, 'main')}`,
    )
    expect(written).toMatchObject({ stdout: '', stderr: expect.stringContaining('Read-only file system') })
    expect((await run('echo no repository is named')).warnings).toBe('')
    expect(host(workspace, 'cd main; git log --all --topo-order --format=%s')).toBe('second\nfirst\n')
  })

  it('is changed by git in commands where it is that of a submodule, but for what configures it', async () => {
    await using workspace = temporaryWorkspace()
    rmSync(workspace.path, { recursive: true })
    // The workspace is the submodule: the repository around it is its base.
    host(
      workspace,
      `${PREPARE}; cd ..; git init -q -b main; git -c protocol.file.allow=always submodule -q add ./main workspace
       git -C workspace config user.name T; git -C workspace config user.email t@example.com`,
    )
    const run = await opened(workspace)
    const committed = await run('echo 2 > a; git commit -qam second; git log --format=%s; git status --short')
    expect(committed).toMatchObject({ exitCode: 0, stdout: 'second\nfirst\n', warnings: WITHOUT_UNDO })
    expect(host(workspace, 'git -C workspace log --format=%s; git -C workspace status --short')).toBe('second\nfirst\n')
    const hooks = join(workspace.base, '.git/modules/workspace/hooks')
    const written = await run(`echo x > ${hooks}/x; git config core.pager x; ls ${workspace.base}`)
    expect(written).toMatchObject({ stdout: 'workspace\n', stderr: expect.stringContaining('Read-only file system') })
    expect(host(workspace, 'git -C workspace config core.pager || echo unset')).toBe('unset\n')
  })

  it('is said where it lies around the workspace or names another’s repository, and nothing of it is shown', async () => {
    await using workspace = temporaryWorkspace()
    host(workspace, `${PREPARE}; cd ..; git init -q -b main workspace/..; mkdir -p workspace/deep`)
    const run = await opened(workspace)
    const above = await run('git log')
    expect(above.exitCode).not.toBe(0)
    expect(above.warnings).toContain('git cannot be used in commands here')
    mkdirSync(join(workspace.path, 'x'))
    writeFileSync(join(workspace.path, '.git'), `gitdir: ${join(workspace.base, 'main/.git')}\n`)
    const named = await run('git log')
    expect([named.exitCode === 0, named.stdout]).toEqual([false, ''])
    expect(named.warnings).toContain('git cannot be used in commands here')
  })
})
