// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { pathsInHistory } from '../../src/machine/process/git-history.ts'
import { gitIdentity, ignoredPaths } from '../../src/machine/process/overlay/ignored-paths.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository } from './git-world.ts'

const it = needs('bubblewrap')

const asked = [
  { path: 'a.txt', directory: false },
  { path: 'x.log', directory: false },
]

/** A repository whose configuration names a program wherever it can, with a signed commit to look at. */
function hostile() {
  const workspace = repository({ 'dir/b.txt': 'b\n' })
  const marker = join(workspace.base, 'ran')
  const evil = join(workspace.base, 'evil.sh')
  writeFileSync(evil, `#!/bin/sh\necho "$0 $*" >> '${marker}'\nexit 1\n`, { mode: 0o755 })
  for (const name of ['gpg.program', 'gpg.ssh.program', 'gpg.x509.program', 'core.fsmonitor', 'core.sshCommand'])
    git(workspace, 'config', name, evil)
  for (const name of ['diff.external', 'core.pager', 'core.alternateRefsCommand', 'remote.origin.uploadpack'])
    git(workspace, 'config', name, evil)
  git(workspace, 'config', 'log.showSignature', 'true')
  const [tree, parent] = [git(workspace, 'rev-parse', 'HEAD^{tree}'), git(workspace, 'rev-parse', 'HEAD')]
  const who = 'Test <test@example.com> 1700000000 +0000'
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n eA==\n -----END PGP SIGNATURE-----'
  const commit = execFileSync('git', ['-C', workspace.path, 'hash-object', '-t', 'commit', '-w', '--stdin'], {
    input: `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nsigned\n`,
  })
  git(workspace, 'update-ref', 'refs/heads/main', commit.toString().trim())
  const env = { PATH: process.env['PATH'], HOME: workspace.base }
  rmSync(marker, { force: true })
  return { workspace, marker, env, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() }
}

/** What plain git does there; shows that the trap works. */
const plainly = ({ path, base }: TemporaryWorkspace, ...args: readonly string[]) =>
  spawnSync('git', ['-C', path, ...args], { env: { PATH: process.env['PATH'], HOME: base } })

/** As a repository lies that has no `.git`: among the files of the workspace. */
function layOpen({ path }: TemporaryWorkspace): void {
  for (const name of ['HEAD', 'config', 'objects', 'refs', 'index', 'info'])
    renameSync(join(path, '.git', name), join(path, name))
  rmSync(join(path, '.git'), { recursive: true })
}

describe('our own git', () => {
  it('runs nothing that the workspace’s repository names', async () => {
    await using world = hostile()
    const { workspace, marker, env } = world
    expect(pathsInHistory(workspace.path, env)?.toSorted()).toEqual(['.gitignore', 'a.txt', 'dir/b.txt'])
    expect([...ignoredPaths(workspace.path, asked, env)]).toEqual(['x.log'])
    expect(gitIdentity(workspace.path, env)).toContainEqual(['user.name', 'Test'])
    expect(existsSync(marker)).toBe(false)
    plainly(workspace, 'log')
    expect(existsSync(marker)).toBe(true)
  })

  it('fetches nothing that the repository says is elsewhere', async () => {
    await using world = hostile()
    const { workspace, marker, env } = world
    for (const [name, value] of [
      ['remote.origin.url', workspace.path],
      ['remote.origin.promisor', 'true'],
      ['protocol.file.allow', 'always'],
      ['log.showSignature', 'false'],
    ] as const)
      git(workspace, 'config', name, value)
    const tree = git(workspace, 'rev-parse', 'HEAD:dir')
    rmSync(join(workspace.path, '.git/objects', tree.slice(0, 2), tree.slice(2)))
    rmSync(marker, { force: true })
    expect(pathsInHistory(workspace.path, env)).toBeUndefined()
    expect(existsSync(marker)).toBe(false)
    plainly(workspace, 'log', '--name-only')
    expect(existsSync(marker)).toBe(true)
  })

  it.each(['no .git', 'a broken .git'])('does not take the workspace itself for a repository, with %s', async what => {
    await using world = hostile()
    const { workspace, marker, env } = world
    layOpen(workspace)
    if (what === 'a broken .git') mkdirSync(join(workspace.path, '.git'))
    expect(pathsInHistory(workspace.path, env)).toBeUndefined()
    expect([...ignoredPaths(workspace.path, asked, env)]).toEqual([])
    expect(gitIdentity(workspace.path, env)).toEqual([])
    expect(existsSync(marker)).toBe(false)
    plainly(workspace, 'log')
    expect(existsSync(marker)).toBe(true)
  })

  it('still knows a linked worktree, a workspace inside a repository, and the user’s own name', async () => {
    await using workspace = repository({ 'dir/b.txt': 'b\n' })
    const env = { PATH: process.env['PATH'], HOME: workspace.base }
    const tree = join(workspace.base, 'tree')
    git(workspace, 'worktree', 'add', '-q', tree)
    expect([...ignoredPaths(tree, asked, env)]).toEqual(['x.log'])
    expect([...ignoredPaths(join(workspace.path, 'dir'), asked, env)]).toEqual(['x.log'])
    expect(pathsInHistory(join(workspace.path, 'dir'), env)).toEqual(['b.txt'])
    writeFileSync(join(workspace.base, '.gitconfig'), '[user]\nname = Own\n')
    mkdirSync(join(workspace.base, 'plain'))
    expect(gitIdentity(join(workspace.base, 'plain'), env)).toEqual([['user.name', 'Own']])
  })
})
