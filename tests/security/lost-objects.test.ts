// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository, shell } from '../process/git-world.ts'

const it = needs('bubblewrap')

/** Two branches, two stashes, a tag, a staged file, and a commit and a blob that nothing leads to. */
let world: TemporaryWorkspace
beforeAll(() => {
  world = repository({ 'b.txt': 'b\n', do: '#!/bin/sh\nset -e\n. ./line.log\n' })
  shell(
    world,
    `chmod +x do
    git commit -qa --amend --no-edit
    git checkout -q -b other
    echo c > c.txt
    git add c.txt
    git commit -qm other
    git checkout -q main
    git tag -a -m v1 v1
    echo two > a.txt
    git commit -qam two
    git checkout -q --detach HEAD~1
    for text in s1 s2; do echo $text > a.txt; git stash -q; done
    git checkout -q main
    echo staged > s.txt
    git add s.txt
    echo loose > loose.log
    git hash-object -w loose.log > blob.log
    git commit-tree -m alone HEAD^{tree} > commit.log`,
  )
})
afterAll(() => world.remove())

function copyWith(line: string): TemporaryWorkspace {
  const workspace = temporaryWorkspace()
  cpSync(world.path, workspace.path, { recursive: true, preserveTimestamps: true })
  git(workspace, 'status')
  workspace.write('line.log', `${line}\n`)
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  const rules = [{ action: 'write', path: '**', verdict: 'allow' }]
  writeFileSync(
    join(workspace.base, 'config/config.json'),
    JSON.stringify({ policy: { commands: { allow: ['./do'] }, rules } }),
  )
  return workspace
}

/** What git says about references, stashes and index; it fails where anything of them is broken. */
const stateOf = (workspace: TemporaryWorkspace): string =>
  shell(
    workspace,
    `cat .git/HEAD
    git for-each-ref
    git log --all --format=%H
    git log -g --format='%H %gd' --all
    git ls-files -s
    git stash list
    git fsck --full --no-dangling --no-progress
    cat a.txt`,
  )

/** What upkeep by the user does at some time. */
const PRUNE = 'git prune --expire=now'
const FORGET = `git reflog expire --expire=now --expire-unreachable=now main HEAD; ${PRUNE}`

describe('git objects that someone removed meanwhile', () => {
  it.each([
    ['a deleted branch', 'git branch -q -D other', `${FORGET}; git repack -adq`],
    ['a deleted tag', 'git tag -d v1', FORGET],
    ['a hard reset', 'git reset -q; git reset -q --hard HEAD~1', FORGET],
    ['a soft reset', 'git reset -q --soft HEAD~1', FORGET],
    ['an amend', 'git commit -q --amend -m other', FORGET],
    ['a dropped stash', 'git stash drop -q', FORGET],
    ['an older stash dropped', 'git stash drop -q stash@{1}', FORGET],
    ['all stashes cleared', 'git stash clear', FORGET],
    ['a file taken out of the index', 'git reset -q s.txt', FORGET],
    ['a file staged anew', 'echo again > s.txt; git add s.txt', FORGET],
    ['a branch moved', 'git update-ref refs/heads/main other', FORGET],
  ])('are missed by an undo, which is a conflict: %s', async (_, line, prune) => {
    await using workspace = copyWith(line)
    const kit = await workspace.open()
    const ran = (await kit.run('run', { command: './do' })).outcome
    expect(ran).toMatchObject({ ok: true, data: { exitCode: 0 }, meta: { undo: expect.any(String) } })
    shell(workspace, prune)
    const after = stateOf(workspace)
    expect((await kit.run('undo', {})).outcome).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('would be missing'), hint: expect.any(String) },
    })
    expect(stateOf(workspace)).toBe(after)
  })

  it.each([
    ['a branch of a commit that nothing led to', 'git branch found $(cat commit.log)'],
    ['a reset to it', 'git reset -q; git reset -q --hard $(cat commit.log)'],
    ['a commit on top of it', 'git checkout -q -f $(cat commit.log); git commit -q --allow-empty -m x; git tag x'],
    ['a tag of a blob that nothing led to', 'git tag found $(cat blob.log)'],
    ['an index entry of it', 'git update-index --add --cacheinfo 100644,$(cat blob.log),found.txt'],
    ['a file with its content', 'cp loose.log found.txt; git add found.txt'],
    ['a commit of it', 'cp loose.log found.txt; git add found.txt; git commit -qm found'],
    ['a stash of it', 'git reset -q; cp loose.log a.txt; git stash -q'],
    ['a merge of it', 'cat commit.log > .git/MERGE_HEAD; echo m > .git/MERGE_MSG'],
  ])('are missed when a transaction lands, which is a conflict: %s', async (_, line) => {
    await using workspace = copyWith(line)
    const kit = await workspace.open()
    await kit.run('stage', { action: 'begin' })
    expect((await kit.run('run', { command: './do' })).outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    shell(workspace, PRUNE)
    const after = stateOf(workspace)
    expect((await kit.run('stage', { action: 'commit' })).outcome).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('would be missing') },
    })
    expect(stateOf(workspace)).toBe(after)
    expect((await kit.run('stage', { action: 'rollback' })).outcome.ok).toBe(true)
    expect(stateOf(workspace)).toBe(after)
  })

  it.each([
    ['a branch that something else leads to', 'git tag kept other', 'git branch -q -D other', FORGET],
    ['a commit that its log leads to', 'true', 'git update-ref refs/heads/main HEAD~1', PRUNE],
    ['a stash that someone made again', 'git tag kept stash', 'git stash drop -q', FORGET],
  ])('are not missed by an undo that needs none of them: %s', async (_, before, line, prune) => {
    await using workspace = copyWith(line)
    shell(workspace, before)
    const refs = git(workspace, 'for-each-ref')
    const kit = await workspace.open()
    expect((await kit.run('run', { command: './do' })).outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    shell(workspace, prune)
    expect((await kit.run('undo', {})).outcome).toMatchObject({ ok: true })
    expect(git(workspace, 'for-each-ref')).toBe(refs)
  })
})

const NONE = '1'.repeat(40)

describe('git objects that never were there', () => {
  it.each([
    ['an index entry', `git update-index --add --cacheinfo 100644,${NONE},x.txt`],
    ['an executable index entry', `git update-index --add --cacheinfo 100755,${NONE},x/y`],
    ['a link in the index', `git update-index --add --cacheinfo 120000,${NONE},x.txt`],
    ['a changed index entry', `git update-index --cacheinfo 100644,${NONE},a.txt`],
    ['an unmerged index entry', `printf '100644 ${NONE} 1\\tb.txt\\n' | git update-index --index-info`],
    ['an index entry among others', `echo n > n.txt; git add n.txt; git update-index --cacheinfo 100644,${NONE},a.txt`],
    ['a split index', `git update-index --split-index; git update-index --add --cacheinfo 100644,${NONE},x.txt`],
    ['a line of the log of HEAD', `echo "$(git rev-parse HEAD) ${NONE} T <t@x> 1700000000 +0000	x" >> .git/logs/HEAD`],
    ['a line of another log', `echo "${NONE} $(git rev-parse other) T <t@x> 1 +0000	x" >> .git/logs/refs/heads/other`],
    [
      'a stash',
      `git update-ref --create-reflog refs/stash HEAD; echo "$(git rev-parse HEAD) ${NONE} T <t@x> 1 +0000	x" >> .git/logs/refs/stash`,
    ],
    ['an older stash', `sed -i "1s/ [0-9a-f]*/ ${NONE}/" .git/logs/refs/stash`],
    ['a new log', `git branch n; echo "${NONE} ${NONE} T <t@x> 1 +0000	x" > .git/logs/refs/heads/n`],
    ['a head of a merge', `echo ${NONE} > .git/MERGE_HEAD`],
    ['a head of a cherry-pick', `echo ${NONE} > .git/CHERRY_PICK_HEAD`],
    [
      'the commit of an older stash',
      'o=$(git rev-parse stash@{1}); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)',
    ],
    [
      'a file of an older stash',
      'o=$(git rev-parse stash@{1}:a.txt); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)',
    ],
  ])('are named by nothing that lands: %s', async (_, line) => {
    await using workspace = copyWith(line)
    const before = stateOf(workspace)
    const kit = await workspace.open()
    const { outcome } = await kit.run('run', { command: './do' })
    expect(outcome).toMatchObject({
      ok: true,
      meta: { warnings: [expect.stringMatching(/^Not kept: anything .* \.git/)] },
    })
    expect(stateOf(workspace)).toBe(before)
  })

  it.each([
    ['a renamed branch', 'git branch -q renamed other; git branch -q -D other; git reset -q --hard HEAD~1'],
    ['an intended addition', 'echo i > i.txt; git add -N i.txt'],
    ['a commit of a submodule', `git update-index --add --cacheinfo 160000,${NONE},sub`],
    ['a removed stash', 'git stash drop -q stash@{1}'],
    [
      'an expired log and gc',
      'git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git gc -q --prune=now',
    ],
    ['an ORIG_HEAD of old', `echo ${NONE} > .git/ORIG_HEAD; git branch n`],
  ])('do not matter to what git does itself: %s', async (_, line) => {
    await using workspace = copyWith(line)
    const kit = await workspace.open()
    const { outcome } = await kit.run('run', { command: './do' })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect((outcome.meta.warnings ?? []).join()).not.toContain('Not kept')
    expect(git(workspace, 'fsck', '--full', '--no-dangling', '--no-progress')).toBe('')
  })
})
