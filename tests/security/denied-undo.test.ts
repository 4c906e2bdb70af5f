// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import { needs } from '../needs.ts'
import { git, repository, shell } from '../process/git-world.ts'

const it = needs('bubblewrap', 'git')

/** A denial, a command that ran before it, and whether the command may be undone. */
const ROWS: readonly (readonly [deny: string, command: string, undone: boolean])[] = [
  ['fs:write:.git/**', 'git commit -qam two', false],
  ['fs:write:.git', 'git commit -qam two', false],
  ['fs:write:.git/refs/**', 'git commit -qam two', false],
  ['fs:write:.git/refs/heads/main', 'git commit -qam two', false],
  ['fs:write:.GIT/refs/heads/main', 'git commit -qam two', false],
  ['fs:write:.git/**', 'git tag v2', false],
  ['fs:write:.git/refs/tags/**', 'git tag -d v1', false],
  ['fs:write:.git/HEAD', 'git checkout -q other', false],
  ['fs:write:.git/index', 'git add a.txt', false],
  // A rule for every directory is about the work tree.
  ['fs:write:**/refs/**', 'git branch -q -D other', true],
  ['fs:create:.git/**', 'git branch -q -D other', false],
  ['fs:create:.git/refs/**', 'git tag -d v1', false],
  ['fs:create:.git/refs/tags/v1', 'git tag -d v1', false],
  ['fs:create:.git/refs/stash', 'git stash drop -q', false],
  ['fs:write:a.txt', 'git commit -qam two; echo three > a.txt', false],
  ['fs:write:dist/**', 'git commit -qam two', true],
  ['fs:create:dist/**', 'git branch -q -D other', true],
]

describe('an undo that restores the repository', () => {
  it.each(ROWS)('is judged by a denial of %s after %s', async (denial, command, undone) => {
    await using workspace = repository()
    shell(workspace, 'git tag v1; git branch other; echo s > a.txt; git stash -q')
    writeFileSync(join(workspace.path, 'a.txt'), 'two\n')
    const state = (): string =>
      [
        git(workspace, 'for-each-ref'),
        git(workspace, 'symbolic-ref', 'HEAD'),
        git(workspace, 'diff', '--cached'),
        git(workspace, 'stash', 'list'),
        workspace.read('a.txt'),
      ].join('\n')
    const before = state()
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    expect((await kit.run('run', { command })).outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    const after = state()
    expect(after).not.toBe(before)
    const denied = kit.session({ permissions: ['exec', 'fs:write'], denials: [denial], approve: fakePerson('yes') })
    const { outcome } = await denied.run('undo', {})
    expect(state()).toBe(undone ? before : after)
    expect(outcome.ok).toBe(undone)
  })
})

describe('a denial of creating in the repository', () => {
  it.each([
    ['fs:create:.git/refs/tags/**', 'git tag v1', false],
    ['fs:create:.git/refs/tags/v1', 'git rev-parse HEAD > .git/refs/tags/v1', false],
    ['fs:create:.git/refs/heads/**', 'git checkout -qb other', false],
    ['fs:create:.git/**', 'git commit -qam two', false],
    ['fs:create:.git/packed-refs', 'git pack-refs --all', false],
    ['fs:create:.git/refs/heads/**', 'git commit -qam two', true],
    ['fs:create:.git/refs/heads/**', 'git tag v1', true],
    ['fs:create:**/tags/**', 'git tag v1', true],
  ] as const)('%s holds for %s', async (denial, command, lands) => {
    await using workspace = repository()
    writeFileSync(join(workspace.path, 'a.txt'), 'two\n')
    const state = (): string => shell(workspace, 'git for-each-ref; cat .git/HEAD; ls .git; git log --all --format=%s')
    const before = state()
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'], denials: [denial] })
    await kit.run('run', { command })
    expect(state() !== before).toBe(lands)
  })
})
