// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import { snapshotOf, temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository, shell } from './git-world.ts'

const it = needs('bubblewrap')

const DATE = 'export GIT_AUTHOR_DATE="@1700000000 +0000" GIT_COMMITTER_DATE="@1700000000 +0000"'

let world: TemporaryWorkspace
beforeAll(() => {
  world = repository({ 'b.txt': 'b\n', do: '#!/bin/sh\n. ./line.log\n' })
  shell(
    world,
    `chmod +x do
    git commit -qa --amend --no-edit
    git branch old
    echo two > a.txt
    git commit -qam two
    git tag v1
    git checkout -q -b other old
    echo c > c.txt
    git add c.txt
    git commit -qm other
    git checkout -q main
    git branch deep/er other
    echo stashed > a.txt
    git stash -q
    echo staged > s.txt
    git add s.txt`,
  )
})
afterAll(() => world.remove())

function copyWith(line: string): TemporaryWorkspace {
  const workspace = temporaryWorkspace()
  cpSync(world.path, workspace.path, { recursive: true, preserveTimestamps: true })
  // The copies have other files, so the index is refreshed before it is compared.
  git(workspace, 'status')
  workspace.write('line.log', `set -e\n${DATE}\n${line}\n`)
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  const rules = [{ action: 'write', path: '**', verdict: 'allow' }]
  writeFileSync(
    join(workspace.base, 'config/config.json'),
    JSON.stringify({ policy: { commands: { allow: ['./do', 'git'] }, rules } }),
  )
  return workspace
}

/** What git says about a repository, and its files. */
const stateOf = (workspace: TemporaryWorkspace): unknown => [
  shell(
    workspace,
    `cat .git/HEAD
    git for-each-ref
    git ls-files -s
    git stash list
    git log --all --format='%H %s'
    for state in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge; do ls .git/$state 2> /dev/null || true; done
    find .git -name '*.lock'
    git fsck --full --no-dangling 2>&1
    git status --porcelain`,
  ),
  Object.entries(snapshotOf(workspace.path)).filter(([path]) => !/^(\.git\/|line\.log)/.test(path)),
]

const ROWS: readonly (readonly [string, string])[] = [
  ['a commit', 'echo 5 > a.txt; git commit -qam x'],
  ['two commits', 'echo 5 > a.txt; git commit -qam x; echo 6 > a.txt; git commit -qam y'],
  ['an amend', 'echo 5 > a.txt; git commit -qa --amend --no-edit'],
  ['a tag', 'git tag v2; git tag -a -m x v3'],
  ['a deleted tag', 'git tag -d v1'],
  ['a deleted branch', 'git branch -q -D deep/er'],
  ['a renamed branch', 'git branch -q -D deep/er; git branch deep other'],
  ['a branch in a directory of its name', 'git branch -q -D other; git branch other/new old'],
  ['a new branch', 'git checkout -q -b new; echo 1 > n.txt; git add n.txt; git commit -qm n'],
  ['a switch', 'git commit -qm s; git checkout -q other'],
  ['a detached head', 'git checkout -q --detach HEAD~1'],
  ['an orphan', 'git checkout -q --orphan empty'],
  ['a merge', 'git commit -qm s; git merge -q other -m m'],
  [
    'a merge that conflicts',
    'git commit -qm s; git checkout -q -b clash old; echo z > a.txt; git commit -qam z; git merge -q main || true',
  ],
  ['a rebase', 'git commit -qm s; git checkout -q other; git rebase -q main'],
  ['a cherry-pick', 'git commit -qm s; git cherry-pick other'],
  ['a revert', 'git commit -qm s; git revert --no-edit HEAD~1'],
  ['a stash', 'echo 7 > b.txt; git stash -q'],
  ['a popped stash', 'git commit -qm s; git stash pop -q'],
  ['a dropped stash', 'git stash drop -q'],
  ['a hard reset', 'git reset -q --hard HEAD~1'],
  ['a soft reset', 'git reset -q --soft HEAD~1'],
  ['packed references', 'git pack-refs --all'],
  ['gc', 'git commit -qm s; git gc -q --prune=now'],
  ['gc and a commit', 'git gc -q; echo 9 > a.txt; git commit -qam y'],
  ['a deleted packed branch', 'git pack-refs --all; git branch -q -D other'],
  ['add only', 'echo 5 > a.txt; git add a.txt'],
  ['rm --cached', 'git rm -q --cached b.txt'],
  ['update-ref', 'git update-ref refs/heads/main old'],
  ['notes', 'git notes add -m x'],
  ['an executable bit', 'chmod +x b.txt; git commit -qam x'],
  ['an emptied branch file', 'git symbolic-ref HEAD refs/heads/other; git reset -q'],
]

describe('git in a command', () => {
  it.each(ROWS)('belongs to a transaction until it lands: %s', async (_, line) => {
    await using workspace = copyWith(line)
    const before = stateOf(workspace)
    const files = snapshotOf(join(workspace.path, '.git'))
    const kit = await workspace.open()
    await kit.run('stage', { action: 'begin' })
    expect((await kit.run('run', { command: './do' })).outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(snapshotOf(join(workspace.path, '.git'))).toEqual(files)
    const shown = (await kit.run('stage', { action: 'diff' })).outcome
    expect(shown).toMatchObject({ ok: true, data: { diff: expect.stringContaining('a/.git b/.git') } })
    expect((await kit.run('stage', { action: 'rollback' })).outcome.ok).toBe(true)
    expect(stateOf(workspace)).toEqual(before)
  })

  it.each(ROWS)('lands with a transaction as git alone would leave it, and is undone with it: %s', async (_, line) => {
    await using alone = copyWith(line)
    shell(alone, './do')
    await using workspace = copyWith(line)
    const before = stateOf(workspace)
    const kit = await workspace.open()
    await kit.run('stage', { action: 'begin' })
    expect((await kit.run('run', { command: './do' })).outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    // Any prompt or editor does this meanwhile.
    git(workspace, 'status')
    const landed = (await kit.run('stage', { action: 'commit' })).outcome
    expect(landed).toMatchObject({ ok: true, meta: { undo: expect.any(String) } })
    expect(stateOf(workspace)).toEqual(stateOf(alone))
    expect((await kit.run('undo', {})).outcome).toMatchObject({ ok: true })
    expect(stateOf(workspace)).toEqual(before)
  })

  it.each(ROWS)('is undone with its call, and brought back: %s', async (_, line) => {
    await using alone = copyWith(line)
    shell(alone, './do')
    await using workspace = copyWith(line)
    const before = stateOf(workspace)
    const kit = await workspace.open()
    expect((await kit.run('run', { command: './do' })).outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(stateOf(workspace)).toEqual(stateOf(alone))
    const undone = (await kit.run('undo', {})).outcome
    expect(undone).toMatchObject({ ok: true, meta: { undo: expect.any(String) } })
    expect(stateOf(workspace)).toEqual(before)
    expect((await kit.run('undo', { id: undone.meta.undo })).outcome).toMatchObject({ ok: true })
    expect(stateOf(workspace)).toEqual(stateOf(alone))
  })

  it('shows the next command of the transaction what the one before did', async () => {
    await using workspace = copyWith('')
    const kit = await workspace.open()
    await kit.run('stage', { action: 'begin' })
    const run = async (command: string) => (await kit.run('run', { command })).outcome
    workspace.write('line.log', `${DATE}\necho 5 > a.txt; git commit -qam first-of-two; git checkout -q -b topic\n`)
    await run('./do')
    expect(await run('git log -1 --format=%s%d')).toMatchObject({
      data: { stdout: expect.stringMatching(/first-of-two.*topic/) },
    })
    workspace.write('line.log', `${DATE}\necho 6 > a.txt; git commit -qam second-of-two; git tag t\n`)
    await run('./do')
    workspace.write('line.log', 'git reset -q --hard HEAD~1; git log -3 --format=%s; git status --short\n')
    expect(await run('./do')).toMatchObject({ data: { stdout: 'first-of-two\ntwo\nfirst\n' } })
    expect(git(workspace, 'for-each-ref')).toBe(git(world, 'for-each-ref'))
    expect((await kit.run('stage', { action: 'commit' })).outcome.ok).toBe(true)
    expect(
      shell(workspace, 'git log -1 --format=%s; git log -1 --format=%s t; cat a.txt; git fsck; git status --short'),
    ).toBe('first-of-two\nsecond-of-two\n5')
  })

  it('names the conflict if someone moved a branch since', async () => {
    await using workspace = copyWith('echo 5 > a.txt; git commit -qam x')
    const kit = await workspace.open()
    await kit.run('run', { command: './do' })
    shell(workspace, 'git commit -q --allow-empty -m mine')
    const after = stateOf(workspace)
    const { outcome } = await kit.run('undo', {})
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('.git/refs/heads/main') },
    })
    expect(stateOf(workspace)).toEqual(after)
  })

  it('names the conflict if someone committed during the transaction', async () => {
    await using workspace = copyWith('echo 5 > b.txt; git commit -qam x')
    const kit = await workspace.open()
    await kit.run('stage', { action: 'begin' })
    await kit.run('run', { command: './do' })
    shell(workspace, 'git commit -q --allow-empty -m mine')
    const after = stateOf(workspace)
    const { outcome } = await kit.run('stage', { action: 'commit' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(stateOf(workspace)).toEqual(after)
  })

  it('asks before an undo moves a branch where writing asks', async () => {
    await using workspace = copyWith('git commit -qm x')
    writeFileSync(
      join(workspace.base, 'config/config.json'),
      JSON.stringify({
        policy: { commands: { allow: ['./do'] }, rules: [{ action: 'write', path: '**', verdict: 'ask' }] },
      }),
    )
    const person = fakePerson('no')
    const kit = await workspace.open({ approve: person })
    expect((await kit.run('run', { command: './do' })).outcome.ok).toBe(true)
    const after = stateOf(workspace)
    expect((await kit.run('undo', {})).outcome.ok).toBe(false)
    expect(person.asked).toHaveLength(1)
    expect(person.asked[0]?.diffs.join('')).toContain('refs/heads/main')
    expect(stateOf(workspace)).toEqual(after)
  })
})
