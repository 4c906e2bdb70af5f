// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
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

const WHO = 'git config user.name T; git config user.email t@example.com'
const made = (name: string) =>
  `git init -q -b main ${name}; cd ${name}; ${WHO}; echo 1 > a; git add a; git commit -qm first`

const policy = (workspace: TemporaryWorkspace, rules: readonly object[]) =>
  workspace.write('../config/config.json', JSON.stringify({ policy: { rules } }))

const opened = async (workspace: TemporaryWorkspace) => {
  const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
  const run = async (command: string, more: object = {}, options: object = {}) => {
    const { outcome } = await kit.run('run', { command, ...more }, options)
    if (!outcome.ok) throw outcome.error
    return { ...Object(outcome.data), undo: outcome.meta.undo, warnings: outcome.meta.warnings?.join('\n') ?? '' }
  }
  return { kit, run }
}

const linked = (): TemporaryWorkspace => {
  const workspace = temporaryWorkspace()
  rmSync(workspace.path, { recursive: true })
  host(workspace, `${made('main')}; git worktree add -q -b side ../workspace`)
  return workspace
}

const WITHOUT_UNDO = expect.stringMatching(/^The repository .*, outside the workspace, changed, without undo: [^\n]*$/)

describe('a linked work tree', () => {
  it('is no part of a transaction, which says so and leaves it as it was', async () => {
    await using workspace = linked()
    const { kit } = await opened(workspace)
    const before = host(workspace, 'cd main; git for-each-ref; git fsck --strict; find .git -type f | sort')
    await kit.run('stage', { action: 'begin' })
    const { outcome } = await kit.run('run', { command: 'echo 2 > a; git commit -qam second' })
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: 'unavailable',
        message: expect.stringMatching(/repository of the linked work tree, .* cannot belong to a transaction/),
        hint: expect.stringContaining('run the command again; or work in the main work tree'),
      },
    })
    expect((await kit.run('run', { command: 'git log -1 --format=%s; echo 3 > a' })).outcome).toMatchObject({
      ok: true,
    })
    expect((await kit.run('stage', { action: 'rollback' })).outcome.ok).toBe(true)
    expect(host(workspace, 'cd main; git for-each-ref; git fsck --strict; find .git -type f | sort')).toBe(before)
    expect(host(workspace, 'cat workspace/a')).toBe('1\n')
  })

  it('is committed in: the commit is there, in order, and what was written is undone as anywhere', async () => {
    await using workspace = linked()
    const { kit, run } = await opened(workspace)
    // Its files land in a later second than the one that git's commit was made in.
    const commit = await run(
      'echo 2 > a; echo new > b; git add -A; git commit -qm second; git log --format=%s; sleep 1.1',
    )
    expect(commit).toMatchObject({ exitCode: 0, stdout: 'second\nfirst\n', warnings: WITHOUT_UNDO })
    const state = 'git log --format=%s; git status --short; git fsck --strict; git reflog --format=%gs -1'
    expect(host(workspace, `cd workspace; ${state}`)).toBe('second\nfirst\ncommit: second\n')
    expect(host(workspace, 'cd main; git log --format=%s; git status --short; git fsck --strict')).toBe('first\n')
    // Git has the change by now: that is for a person to say.
    expect((await kit.run('undo', { id: commit.undo })).outcome).toMatchObject({ error: { code: 'rejected' } })
    const approve = () => ({ answer: 'yes', by: 'ada' }) as const
    expect((await kit.run('undo', { id: commit.undo }, { approve })).outcome).toMatchObject({ ok: true })
    expect(host(workspace, 'cd workspace; git log --format=%s -1; git status --short')).toBe('second\n M a\n D b\n')
    const branch = await run(
      'git checkout -q -b other && git commit -qam third && git branch -D side && git stash list',
    )
    const [config, undo] = branch.warnings.split('\n')
    expect({ ...branch, config, undo }).toMatchObject({
      exitCode: 0,
      config: expect.stringContaining('.git/config stays as it is'),
      undo: WITHOUT_UNDO,
    })
    expect(host(workspace, 'cd main; git branch --format="%(refname:short)"; git fsck --strict')).toBe('main\nother\n')
  })

  it('leaves the repository as it is in a dry run, and where a rule denies writing it', async () => {
    await using workspace = linked()
    const { run } = await opened(workspace)
    const tried = await run('echo 2 > a; git commit -qam second', {}, { dryRun: true })
    expect(tried).toMatchObject({ exitCode: 0, warnings: expect.stringContaining('.git/refs/heads/side') })
    policy(workspace, [{ action: 'write', path: '.git/**', verdict: 'deny' }])
    const { run: narrow } = await opened(workspace)
    const refused = await narrow('echo 2 > a; git commit -qam second')
    expect(refused.warnings).toContain(
      'the repository of the linked work tree, because no permission to write covers it',
    )
    expect(host(workspace, 'cd main; git log --all --format=%s; git fsck --strict')).toBe('first\n')
  })

  it('changes nothing that configures the repository, runs in it, or is another work tree’s', async () => {
    await using workspace = linked()
    const { run } = await opened(workspace)
    const common = join(workspace.base, 'main/.git')
    const before = readFileSync(join(common, 'config'), 'utf8')
    const hostile = await run(
      `git commit -q --allow-empty -m second; echo x > ${common}/hooks/post-checkout; git config core.fsmonitor x;
       echo 'ref: refs/heads/side' > ${common}/HEAD; echo /tmp > ${common}/objects/info/alternates; rm ${common}/index`,
    )
    expect(hostile.stderr).toContain('Read-only file system')
    expect(hostile.warnings).toContain('.git/commondir/HEAD')
    expect(host(workspace, 'cd workspace; git log -1 --format=%s')).toBe('second\n')
    expect(readFileSync(join(common, 'config'), 'utf8')).toBe(before)
    expect(readFileSync(join(common, 'HEAD'), 'utf8')).toBe('ref: refs/heads/main\n')
    expect(existsSync(join(common, 'index'))).toBe(true)
    for (const name of ['hooks/post-checkout', 'objects/info/alternates'])
      expect(existsSync(join(common, name))).toBe(false)

    for (const move of [
      `git rev-parse HEAD > ${common}/refs/heads/main`,
      `rm ${common}/refs/heads/main`,
      `git pack-refs --all; sed -i '/heads.main/d' ${common}/packed-refs`,
    ])
      expect((await run(move)).warnings).toContain('another work tree of the repository is on refs/heads/main')
    expect((await run('git pack-refs --all')).warnings).toEqual(WITHOUT_UNDO)
    const gone = await run(`rm -rf ${common}/worktrees/workspace; echo x > c`)
    expect(gone.warnings).toContain('which would be no repository any more')
    expect(
      host(workspace, 'cd main; git log --format=%s; cd ../workspace; git log --format=%s; git fsck --strict'),
    ).toBe('first\nsecond\nfirst\n')
  })

  it('is only read where a rule hides a file, and says what to do instead', async () => {
    await using workspace = linked()
    policy(workspace, [{ action: 'read', path: 'a', verdict: 'deny' }])
    const { run } = await opened(workspace)
    const commit = await run('git commit -q --allow-empty -m second')
    expect(commit).toMatchObject({ exitCode: 128, stderr: expect.stringContaining('Read-only file system') })
    expect(commit.warnings).toContain('git reads in commands here but changes nothing')
    expect(commit.warnings).toContain('commit with your own git, or open')
  })

  it('is not written by a git that works there meanwhile', async () => {
    await using workspace = linked()
    const { kit } = await opened(workspace)
    const begun = Promise.withResolvers<unknown>()
    const command = 'echo begun; sleep 3; git commit -q --allow-empty -m ours'
    const running = kit.run('run', { command }, { onOutput: begun.resolve })
    await begun.promise
    host(workspace, 'cd workspace; git commit -q --allow-empty -m theirs')
    expect((await running).outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(host(workspace, 'cd workspace; git log --format=%s')).toBe('theirs\nfirst\n')
  })
})

describe('a repository with submodules', () => {
  const withSubmodule = (): TemporaryWorkspace => {
    const workspace = temporaryWorkspace()
    host(
      workspace,
      `(${made('lib')}); cd workspace; git init -q -b main .; ${WHO}
      git -c protocol.file.allow=always submodule --quiet add ../lib deep/sub; git commit -qm super; cd deep/sub; ${WHO}`,
    )
    return workspace
  }

  it('is committed in, and so is a submodule, with what the repository says of it', async () => {
    await using workspace = withSubmodule()
    const { run } = await opened(workspace)
    const outer = await run('echo x > new; git add -A; git commit -qm outer')
    expect(outer).toMatchObject({ exitCode: 0, warnings: '' })
    const inner = await run('echo 2 > a; git commit -qam inner; cd ../..; git commit -qam bump', { cwd: 'deep/sub' })
    expect(inner).toMatchObject({ exitCode: 0, warnings: '' })
    const state = 'git log --format=%s; git status --short; git fsck --strict'
    expect(host(workspace, `cd workspace; ${state}; cd deep/sub; ${state}`)).toBe('bump\nouter\nsuper\ninner\nfirst\n')
    expect(host(workspace, 'cd workspace; git submodule status --cached')).toMatch(/^ [0-9a-f]{40} deep\/sub/)
    expect((await run('git status; git -C deep/sub log -1')).warnings).toBe('')
  })

  it('keeps neither where the submodule’s cannot be kept', async () => {
    await using workspace = withSubmodule()
    const { run } = await opened(workspace)
    const bad = await run(
      'echo 2 > a; git commit -qam inner; cd ../..; git commit -qam bump; echo x > .git/modules/deep/sub/HEAD',
      { cwd: 'deep/sub' },
    )
    expect(bad.warnings).toContain('the repository of the submodule deep/sub, which would be no repository any more')
    expect(bad.warnings).toContain('under .git, because that of the submodule deep/sub is not kept either')
    const config = await run(
      'echo "[core] fsmonitor = x" >> .git/modules/deep/sub/config; echo x > .git/modules/deep/sub/hooks/x',
    )
    expect(config.warnings).toContain('Not kept of what the command changed')
    expect(host(workspace, 'cd workspace; git log --format=%s; cat .git/modules/deep/sub/config')).not.toContain(
      'fsmonitor',
    )
    expect(
      host(workspace, 'cd workspace; git log --format=%s; git fsck --strict; cd deep/sub; git log --format=%s'),
    ).toBe('super\nfirst\n')
  })
})
