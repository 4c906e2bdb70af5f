// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository, shell } from '../process/git-world.ts'

const it = needs('bubblewrap')

/** Two branches that differ in a protected file, a tag, a stash, and an older version of it. */
function makeWorld(): TemporaryWorkspace {
  const workspace = repository({ 'CLAUDE.md': 'first\n', 'secret/x.txt': 'first\n', do: '#!/bin/sh\n. ./line.log\n' })
  shell(
    workspace,
    `chmod +x do
    git commit -qa --amend --no-edit
    echo second > CLAUDE.md
    git commit -qam second
    git tag v1
    git checkout -q -b other
    echo other > CLAUDE.md
    echo 2 > b.txt
    git add -A
    git commit -qm other
    echo 3 > b.txt
    git commit -qam third
    git checkout -q main
    echo stashed > CLAUDE.md
    git stash -q
    echo two > a.txt
    git commit -qam two`,
  )
  return workspace
}

let world: TemporaryWorkspace
beforeAll(() => {
  world = makeWorld()
})
afterAll(() => world.remove())

function copyWith(line: string): TemporaryWorkspace {
  const workspace = temporaryWorkspace()
  cpSync(world.path, workspace.path, { recursive: true, preserveTimestamps: true })
  workspace.write('line.log', `set -e\n${line}\n`)
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  const rules = [
    { action: 'write', path: '**', verdict: 'allow' },
    { action: 'write', path: 'secret/**', verdict: 'deny' },
    { action: 'write', path: 'asked/**', verdict: 'ask' },
  ]
  writeFileSync(
    join(workspace.base, 'config/config.json'),
    JSON.stringify({ policy: { commands: { allow: ['./do'] }, rules } }),
  )
  return workspace
}

const stateOf = (workspace: TemporaryWorkspace): string =>
  shell(
    workspace,
    `cat .git/HEAD; git for-each-ref; git ls-files -s; git stash list
  find .git/refs; cat .git/packed-refs 2>/dev/null || true`,
  )

const BLOB = 'b=$(echo evil | git hash-object -w --stdin)'
const IN_INDEX = (path: string): string => `${BLOB}; git update-index --add --cacheinfo 100644,$b,${path}`
const A_COMMIT = `${BLOB}; GIT_INDEX_FILE=/tmp/i git read-tree HEAD; GIT_INDEX_FILE=/tmp/i git update-index --add --cacheinfo 100644,$b,CLAUDE.md; t=$(GIT_INDEX_FILE=/tmp/i git write-tree); c=$(git commit-tree -p HEAD -m x $t)`
const PATCH = `printf -- '--- a/CLAUDE.md\\n+++ b/CLAUDE.md\\n@@ -1 +1 @@\\n-second\\n+evil\\n'`
const IMPORT = (ref: string): string =>
  `printf 'blob\\nmark :1\\ndata 5\\nevil\\n\\ncommit ${ref}\\nmark :2\\ncommitter A <a@b> 1 +0000\\ndata 1\\nx\\nM 100644 :1 CLAUDE.md\\n\\n' | git fast-import --quiet --force`

/** What a command does, and the git command of a person that would write it. */
const HIDDEN: readonly (readonly [string, string, string])[] = [
  ['update-index and a commit', `${IN_INDEX('CLAUDE.md')}; git commit -qm x`, 'git reset -q --hard'],
  ['update-index alone', IN_INDEX('CLAUDE.md'), 'git checkout -- .'],
  ['a new name in the index', IN_INDEX('.vscode/tasks.json'), 'git checkout -- .'],
  ['a nested name in the index', IN_INDEX('docs/sub/AGENTS.md'), 'git checkout -- .'],
  ['a name with other case', IN_INDEX('Claude.MD'), 'git checkout -- .'],
  ['.envrc in a commit', `${IN_INDEX('.envrc')}; git commit -qm x`, 'git reset -q --hard'],
  ['.gitattributes in the index', IN_INDEX('.gitattributes'), 'git checkout -- .'],
  ['a path that a rule denies', IN_INDEX('secret/x.txt'), 'git checkout -- .'],
  ['a path that a rule asks about', IN_INDEX('asked/x.txt'), 'git checkout -- .'],
  [
    'a link in the index',
    'b=$(printf a.txt | git hash-object -w --stdin); git update-index --add --cacheinfo 120000,$b,CLAUDE.md',
    'git checkout -- .',
  ],
  [
    'a directory that becomes a link',
    'b=$(printf dist | git hash-object -w --stdin); git update-index --add --cacheinfo 120000,$b,.vscode',
    'git checkout -- .',
  ],
  ['apply --cached', `${PATCH} | git apply --cached`, 'git checkout -- .'],
  ['commit-tree and update-ref', `${A_COMMIT}; git update-ref refs/heads/main $c`, 'git reset -q --hard'],
  ['commit-tree and a branch', `${A_COMMIT}; git branch evil $c`, 'git checkout -q evil'],
  ['commit-tree and another branch', `${A_COMMIT}; git update-ref refs/heads/other $c`, 'git checkout -q other'],
  ['commit-tree and a tag', `${A_COMMIT}; git tag v2 $c`, 'git checkout -q v2'],
  ['an annotated tag', `${A_COMMIT}; git tag -a -m x v2 $c`, 'git checkout -q v2'],
  ['a tag of a tag', `${A_COMMIT}; git tag -a -m x v2 $c; git tag -a -m y v3 v2; git tag -d v2`, 'git checkout -q v3'],
  ['a tag of a tree', `${A_COMMIT}; git tag v2 $t`, 'git checkout v2 -- .'],
  ['a remote branch', `${A_COMMIT}; git update-ref refs/remotes/origin/main $c`, 'git merge -q origin/main'],
  ['a packed branch', `${A_COMMIT}; git branch evil $c; git pack-refs --all`, 'git checkout -q evil'],
  ['a stash', `${A_COMMIT}; s=$(git commit-tree -p HEAD -p HEAD -m x $t); git stash store $s`, 'git stash pop -q'],
  [
    'an older stash',
    `${A_COMMIT}; s=$(git commit-tree -p HEAD -p HEAD -m x $t); git stash store $s; echo 9 > a.txt; git stash -q`,
    'git stash pop -q stash@{1}',
  ],
  [
    'the detached head',
    `${A_COMMIT}; git update-ref --no-deref HEAD $c; git symbolic-ref HEAD refs/heads/main; printf '%s\\n' $c > .git/HEAD`,
    'git reset -q --hard',
  ],
  [
    'a commit below another',
    `${A_COMMIT}; d=$(git commit-tree -p $c -m y HEAD^{tree}); git update-ref refs/heads/main $d`,
    'git checkout -q HEAD~1',
  ],
  [
    'a merge of its own content',
    `${A_COMMIT}; d=$(git commit-tree -p HEAD -p other -m y $t); git update-ref refs/heads/main $d`,
    'git reset -q --hard',
  ],
  ['fast-import to a branch', IMPORT('refs/heads/evil'), 'git checkout -q evil'],
  ['fast-import to the own branch', IMPORT('refs/heads/main'), 'git reset -q --hard'],
  ['read-tree', `${A_COMMIT}; git read-tree $t`, 'git checkout -- .'],
  ['a replaced commit', `${A_COMMIT}; git replace HEAD $c`, 'git reset -q --hard'],
  ['a replaced file', `${BLOB}; git replace -f $(git rev-parse HEAD:CLAUDE.md) $b`, 'rm CLAUDE.md; git checkout -- .'],
  ['a replaced tree', `${A_COMMIT}; git replace HEAD^{tree} $t`, 'git reset -q --hard'],
  ['ORIG_HEAD', `${A_COMMIT}; echo $c > .git/ORIG_HEAD`, 'git reset -q --hard ORIG_HEAD'],
  [
    'a reflog entry',
    `${A_COMMIT}; git update-ref refs/heads/main $c; git update-ref refs/heads/main HEAD~1`,
    'git reset -q --hard main@{1}',
  ],
]

/** Everyday git: what it stores was judged as a file, or is history. */
const EVERYDAY: readonly (readonly [string, string])[] = [
  ['a commit', 'echo 5 > a.txt; git commit -qam x'],
  ['a new file', 'echo 5 > n.txt; git add n.txt; git commit -qm x'],
  ['an amend', 'echo 5 > a.txt; git commit -qa --amend --no-edit'],
  ['an empty commit', 'git commit -q --allow-empty -m x'],
  ['a new branch', 'git checkout -q -b new; git branch also v1'],
  ['a branch at old content', 'git branch back HEAD~2'],
  ['a soft reset to old content', 'git reset -q --soft HEAD~2'],
  ['a mixed reset to old content', 'git reset -q HEAD~2'],
  ['a revert', 'git revert --no-edit HEAD'],
  ['a stash of other files', 'echo 5 > a.txt; git stash -q'],
  ['a dropped stash', 'git stash drop -q'],
  ['packed references', 'git pack-refs --all; git gc -q'],
  ['tags', 'git tag v2; git tag -a -m x v3; git tag -d v1'],
  ['a deleted branch', 'git branch -q -D other'],
  ['notes', 'git notes add -m x'],
  ['rm --cached', 'git rm -q --cached CLAUDE.md; git commit -qm x'],
  ['a merge that keeps ours', 'git merge -q -s ours other -m x'],
]

describe('content that a command puts only into git', () => {
  it.each(HIDDEN)('asks a person, and lands nowhere on a no: %s', async (_, line, later) => {
    await using workspace = copyWith(line)
    const before = stateOf(workspace)
    const person = fakePerson('no')
    const { outcome } = await (await workspace.open({ approve: person })).run('run', { command: './do' })
    expect({ outcome, state: stateOf(workspace) }).toMatchObject({ state: before })
    shell(workspace, `git checkout -q -f || true; ${later} || true`)
    expect(shell(workspace, 'grep -rlx evil . --exclude-dir=.git || true')).toBe('')
    expect(person.asked.length > 0 || !outcome.ok || outcome.meta.warnings?.join().includes('Not kept')).toBe(true)
  })

  it.each(EVERYDAY)('asks nothing for %s', async (_, line) => {
    await using workspace = copyWith(line)
    const before = stateOf(workspace)
    const person = fakePerson()
    const { outcome } = await (await workspace.open({ approve: person })).run('run', { command: './do' })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(person.asked).toHaveLength(0)
    expect(stateOf(workspace)).not.toBe(before)
  })

  it.each([
    ['a merge', 'git merge -q other -m x'],
    ['a rebase', 'git checkout -q other; git rebase -q main'],
    ['a checkout', 'git checkout -q other'],
    ['a popped stash', 'git checkout -q -- .; git stash pop -q'],
  ])('asks for %s of existing history only as for the files that it writes', async (_, line) => {
    await using workspace = copyWith(line)
    const person = fakePerson('yes')
    const { outcome } = await (await workspace.open({ approve: person })).run('run', { command: './do' })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(person.asked).toHaveLength(1)
    expect(person.asked[0]?.diffs.join('')).not.toContain('only in git')
  })

  it('lands on a yes, with the content on the card', async () => {
    await using workspace = copyWith(`${IN_INDEX('CLAUDE.md')}; git commit -qm x`)
    const person = fakePerson('yes')
    const { outcome } = await (await workspace.open({ approve: person })).run('run', { command: './do' })
    expect(outcome.ok).toBe(true)
    expect(person.asked[0]?.diffs.join('')).toMatch(/only in git[^]*-second\n\+evil/)
    expect(git(workspace, 'show', 'HEAD:CLAUDE.md')).toBe('evil')
  })

  it('does not ask for a commit of a file that the person changed', async () => {
    await using workspace = copyWith('git commit -qam x')
    workspace.write('CLAUDE.md', 'mine\r\n')
    const { outcome } = await (await workspace.open({ approve: fakePerson() })).run('run', { command: './do' })
    expect(outcome.ok).toBe(true)
    expect(git(workspace, 'show', 'HEAD:CLAUDE.md')).toContain('mine')
  })
})
