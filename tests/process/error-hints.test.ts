// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { git, repository } from '../process/git-world.ts'

const it = needs('bubblewrap', 'git')

const CONFIG = '.git/config stays as it is'

describe('what the sandbox refuses a program', () => {
  it.each([
    ['git config user.name other', CONFIG],
    ['git config alias.x y 2>&1', CONFIG],
    ['git branch other; git branch -D other', CONFIG],
    ['git branch -m other', CONFIG],
    ['git remote add origin x', CONFIG],
    ['rm .git/config', CONFIG],
    ['echo x > .git/hooks/pre-commit', '.git/hooks/pre-commit stays as it is'],
    ['echo x >> .git/info/exclude', '.git/info/exclude stays as it is'],
  ])('is answered with what to do instead: %s', async (command, hint) => {
    await using workspace = repository({ 'dir/b.txt': 'b\n' })
    const config = workspace.read('.git/config')
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', { command })
    expect(outcome.meta.warnings).toMatchObject([expect.stringContaining(hint)])
    expect(workspace.read('.git/config')).toBe(config)
  })

  it.each(['git mv dir other', 'git mv dir other 2>&1', `node -e 'fs.renameSync("dir", "other")'`])(
    'is answered with another way to rename a directory, where that is refused: %s',
    async command => {
      await using workspace = repository({ 'dir/b.txt': 'b\n' })
      const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
      const { outcome } = await kit.run('run', { command })
      // A copy of the tree, in place of an overlay, has nothing to refuse.
      if (existsSync(join(workspace.path, 'other'))) expect(outcome.meta.warnings).toBeUndefined()
      else expect(outcome.meta.warnings).toMatchObject([expect.stringContaining('write mv OLD NEW')])
    },
  )

  it('is nothing where a program only prints such words', async () => {
    await using workspace = repository({ 'log.txt': 'Invalid cross-device link\n.git/config: Read-only file system\n' })
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    expect((await kit.run('run', { command: 'cat log.txt' })).outcome.meta.warnings).toBeUndefined()
  })

  it('leaves the way that the hint names: a directory is moved, and git knows it', async () => {
    await using workspace = repository({ 'dir/b.txt': 'b\n', 'dir/deep/c.txt': 'c\n' })
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const command = 'mv dir other && git add -A dir other && git commit -qm moved'
    expect((await kit.run('run', { command })).outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(git(workspace, 'ls-files')).toBe('.gitignore\na.txt\nother/b.txt\nother/deep/c.txt')
    expect(git(workspace, 'status', '--porcelain')).toBe('')
  })

  it('deletes the branch that it names, although its section of the configuration stays', async () => {
    await using workspace = repository()
    git(workspace, 'branch', 'other')
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    await kit.run('run', { command: 'git branch -D other' })
    expect(git(workspace, 'branch', '--list', 'other')).toBe('')
  })
})
