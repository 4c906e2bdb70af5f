// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository } from './git-world.ts'

const it = needs('bubblewrap')

const opened = async (workspace: TemporaryWorkspace) => {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  const rules = ['**/.env*', 'secrets/**'].map(path => ({ action: 'read', path, verdict: 'deny' }))
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ policy: { rules } }))
  const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
  return async (command: string) => {
    const { outcome } = await kit.run('run', { command })
    if (!outcome.ok) throw outcome.error
    const { exitCode, stdout, stderr } = Object(outcome.data)
    return { exitCode, said: `${stdout}${stderr}`, warnings: outcome.meta.warnings ?? [] }
  }
}

const HIDDEN = { '.env': 'A=1\n', 'app/.env.test': 'B=1\n', 'secrets/key': 'C=1\n' }

describe('git in a command where files are hidden from it', () => {
  it('leaves tracked ones as they are: status, add, commit, stash, checkout and reset work', async () => {
    await using workspace = repository(HIDDEN)
    workspace.write('.env', 'A=2\n')
    const run = await opened(workspace)
    expect(await run('git status --short')).toEqual({ exitCode: 0, said: '', warnings: [] })
    for (const line of [
      'echo two > a.txt; git add -A && git commit -qam second',
      'echo three > a.txt; git stash -q && cat a.txt && git stash pop -q && cat a.txt',
      'git checkout -q . && cat a.txt',
      'echo four > a.txt; git reset -q --hard && cat a.txt; git switch -qc other && git switch -q main',
    ])
      expect(await run(line)).toMatchObject({ exitCode: 0, said: expect.not.stringMatching(/error|fatal|warning/) })
    expect(git(workspace, 'show', '--name-only', '--format=%s')).toBe('second\n\na.txt')
    expect(git(workspace, 'ls-files', '-v')).toBe('H .env\nH .gitignore\nH a.txt\nH app/.env.test\nH secrets/key')
    expect(git(workspace, 'status', '--short')).toBe('M .env')
    expect(workspace.read('.env')).toBe('A=2\n')
    expect(git(workspace, 'fsck', '--strict', '--no-dangling')).toBe('')
  })

  it('neither sees nor adds those that are not tracked, and what it was told does not stay', async () => {
    await using workspace = repository()
    for (const [name, content] of Object.entries(HIDDEN)) workspace.write(name, content)
    workspace.write('odd [x]/.env *', 'D=1\n')
    const before = workspace.read('.git/info/exclude')
    const run = await opened(workspace)
    expect(await run('git status --short')).toEqual({ exitCode: 0, said: '', warnings: [] })
    expect(await run('echo b > b.txt; git add -A && git commit -qm second; git status --short')).toMatchObject({
      exitCode: 0,
      said: '',
      warnings: [],
    })
    expect(git(workspace, 'show', '--name-only', '--format=%s')).toBe('second\n\nb.txt')
    expect(workspace.read('.git/info/exclude')).toBe(before)
    expect(git(workspace, 'status', '--short').split('\n')).toHaveLength(4)
  })

  it('keeps nothing where the index takes a form in which the mark could not be taken off again', async () => {
    await using workspace = repository(HIDDEN)
    const run = await opened(workspace)
    await expect(run('git update-index --split-index')).rejects.toMatchObject({ code: 'denied' })
    expect(git(workspace, 'ls-files', '-v', '.env')).toBe('H .env')
  })
})
