// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, vi } from 'vitest'
import { createBashTool } from '../../src/contracts.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository, shell } from '../process/git-world.ts'

const it = needs('bubblewrap')
const LONG = process.env['TOOLWRIGHT_LONG'] === '1'

/** Two branches, a stash, a staged file, loose objects and a pack; `npm test` runs the line of an ignored file, and so does `./check`. */
function makeHistory(): TemporaryWorkspace {
  const workspace = repository({
    'package.json': JSON.stringify({ scripts: { test: './check' } }),
    check: '#!/bin/sh\n. ./line.log\n',
    'b.txt': 'b\n',
  })
  shell(
    workspace,
    `chmod +x check
    git commit -qa --amend --no-edit
    git checkout -q -b other
    echo c > c.txt
    git add -A
    git commit -qm 'on other'
    git checkout -q main
    git repack -adq
    echo two > a.txt
    git commit -qam second
    echo stashed > a.txt
    git stash -q
    echo staged > staged.txt
    git add staged.txt`,
  )
  return workspace
}

let made: TemporaryWorkspace
beforeAll(() => {
  made = makeHistory()
})
afterAll(() => made.remove())

/** A copy of it, with this line. */
function history(line: string): TemporaryWorkspace {
  const workspace = temporaryWorkspace()
  cpSync(made.path, workspace.path, { recursive: true, preserveTimestamps: true })
  workspace.write('line.log', `${line}\n`)
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  const commands = { allow: ['npm test', './check'] }
  const policy = { commands, rules: [{ action: 'write', path: '**', verdict: 'allow' }] }
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ policy }))
  return workspace
}

/** References, head, commits, reflog, stash and index; fails where anything of them is broken. */
const stateOf = (workspace: TemporaryWorkspace): string =>
  shell(
    workspace,
    `git for-each-ref
    git rev-parse HEAD
    git log --all --format=%H
    git reflog
    git stash list
    git show :staged.txt
    git fsck --full --no-dangling`,
  )

const DESTROYING = [
  'rm -rf .git/objects/??',
  'rm -rf .git/objects/?? .git/logs',
  'rm -rf .git/objects/pack',
  'rm -f .git/objects/pack/*.pack',
  'rm -f .git/objects/pack/*.idx',
  'chmod -R u+w .git/objects; rm -rf .git/objects/*',
  'rm -rf .git/logs',
  'rm -f .git/logs/HEAD',
  'rm -f .git/logs/refs/heads/other',
  'rm -f .git/logs/refs/stash',
  'rm -f .git/refs/heads/main',
  'rm -rf .git/refs/heads',
  'rm -rf .git/refs/* .git/logs',
  'rm -f .git/HEAD',
  'o=$(git rev-parse :staged.txt); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)',
  'o=$(git rev-parse stash); rm -f .git/objects/$(echo $o | cut -c1-2)/$(echo $o | cut -c3-)',
  'echo 1111111111111111111111111111111111111111 > .git/refs/heads/lost',
  'echo 1111111111111111111111111111111111111111 > .git/refs/heads/main',
  'echo 1111111111111111111111111111111111111111 > .git/HEAD',
  'printf "1111111111111111111111111111111111111111 refs/heads/main\\n" > .git/packed-refs; rm .git/refs/heads/main',
  'git commit -q --allow-empty -m x; o=$(git rev-parse HEAD^{tree}); git commit -qam y; rm -rf .git/objects/$(echo $o | cut -c1-2)',
  'mkdir -p /tmp/o; cp -r .git/objects/* /tmp/o; rm -rf .git/objects/??; mkdir -p .git/objects/info; echo /tmp/o > .git/objects/info/alternates',
  'git branch -q -D other; git reflog expire --expire=now --all; git gc -q --prune=now; rm -rf .git/objects/pack',
]

/** npm takes longer to start than git for all that a line does: one row is run by it. */
const commandFor = (line: string): string => (line === DESTROYING[0] ? 'npm test' : './check')

describe('the history of the workspace', () => {
  it.each(DESTROYING.filter((_, at) => LONG || at % 2 === 0))(
    'is whole after an allowed test that runs %s',
    async line => {
      await using workspace = history(line)
      const before = stateOf(workspace)
      const kit = await workspace.open()
      const { outcome } = await kit.run('run', { command: commandFor(line) })
      expect(stateOf(workspace)).toEqual(before)
      // git itself complains where it cannot write its configuration.
      const warnings = outcome.meta.warnings?.filter(text => !text.startsWith('.git/config stays as it is'))
      expect({ ok: outcome.ok, warnings }).toEqual({
        ok: true,
        warnings: [expect.stringMatching(/^Not kept: anything .* \.git/)],
      })
    },
  )

  const count = (workspace: TemporaryWorkspace): number => Number(git(workspace, 'count-objects').split(' ')[0])

  it.each<readonly [string, (workspace: TemporaryWorkspace) => unknown, unknown]>([
    ['git gc -q --prune=now', count, 0],
    ['git repack -adq && git prune-packed -q', count, 0],
    ['git prune --expire=now', workspace => git(workspace, 'fsck', '--full', '--no-dangling'), ''],
    ['git commit -qm staged', workspace => git(workspace, 'log', '-1', '--format=%s'), 'staged'],
    ['git branch -q -D other', workspace => git(workspace, 'branch', '--list', 'other'), ''],
    ['git stash drop -q', workspace => git(workspace, 'stash', 'list'), ''],
    ['git pack-refs --all', workspace => git(workspace, 'rev-parse', '--abbrev-ref', 'HEAD'), 'main'],
    ['git reset -q --hard HEAD~1', workspace => git(workspace, 'log', '-1', '--format=%s'), 'first'],
    ['git checkout -q --orphan fresh', workspace => git(workspace, 'symbolic-ref', 'HEAD'), 'refs/heads/fresh'],
    ['git commit -q --amend -m other', workspace => git(workspace, 'log', '-1', '--format=%s'), 'other'],
    ['git tag v1 && git tag -am two v2', workspace => git(workspace, 'tag'), 'v1\nv2'],
    [
      'git commit -qm staged && git merge -q -m joined other',
      workspace => git(workspace, 'log', '-1', '--format=%s'),
      'joined',
    ],
    [
      'git branch -q -D other && git reflog expire --expire=now --all && git gc -q --prune=now',
      workspace => git(workspace, 'branch', '--list', 'other'),
      '',
    ],
  ])('takes what git does itself: %s', async (line, look, expected) => {
    await using workspace = history(line)
    const kit = await workspace.open()
    const { outcome } = await kit.run('run', { command: commandFor(line) })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(outcome.ok ? (outcome.meta.warnings ?? []).join() : '').not.toContain('Not kept: anything')
    expect(look(workspace)).toEqual(expected)
    expect(git(workspace, 'fsck', '--full', '--no-dangling')).toBe('')
  })
})

describe('without a permission to write', () => {
  let base = ''
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'toolwright-history-'))
    vi.stubEnv('TOOLWRIGHT_STATE', join(base, 'state'))
    vi.stubEnv('TOOLWRIGHT_CONFIG_HOME', join(base, 'config'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(base, { recursive: true, force: true })
  })

  it.each([
    ['rm -rf .git/objects/?? .git/logs', ['exec', 'fs:read']],
    ['git commit -qm x', ['exec', 'fs:read']],
    ['git tag v1', ['exec', 'fs:read']],
    ['git branch -q -D other', ['exec', 'fs:read']],
    ['git reset -q; git stash drop -q', ['exec', 'fs:read']],
    ['git commit -qm x', ['exec', 'fs:read', 'fs:write:src/**']],
    ['git branch new', ['exec', 'fs:read', 'fs:write:src/**']],
  ])('nothing of %s lands with %j', async (command, permissions) => {
    await using workspace = history('true')
    const before = stateOf(workspace)
    const answer = await createBashTool().execute({ command }, { cwd: workspace.path, permissions })
    expect(JSON.stringify(answer)).toContain('fs:write')
    expect(stateOf(workspace)).toEqual(before)
  })

  it('what a command commits lands with fs:write', async () => {
    await using workspace = history('true')
    const permissions = ['exec', 'fs:read', 'fs:write']
    const answer = await createBashTool().execute({ command: 'git commit -qm x' }, { cwd: workspace.path, permissions })
    expect(answer).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(git(workspace, 'log', '-1', '--format=%s')).toBe('x')
  })
})
