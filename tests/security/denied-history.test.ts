// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { Toolkit } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { git, repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

const GONE = 'gone-5f1c'
const OLD = 'older-77d2'

/** `.env` was committed once and is deleted; `app/.env.test` was changed since and is there. */
function committed(): TemporaryWorkspace {
  const workspace = repository({ 'src/a.ts': 'a\n', '.env': `KEY=${GONE}\n`, 'app/.env.test': `KEY=${OLD}\n` })
  git(workspace, 'rm', '-q', '.env')
  workspace.write('app/.env.test', 'KEY=now-91aa\n')
  workspace.write('src/a.ts', 'b\n')
  git(workspace, 'commit', '-qam', 'second')
  return denying(workspace)
}

function denying(workspace: TemporaryWorkspace): TemporaryWorkspace {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  const rules = [{ action: 'read', path: '**/.env*', verdict: 'deny' }]
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ policy: { rules } }))
  return workspace
}

describe('a denied file that was committed once', () => {
  let workspace: TemporaryWorkspace
  let kit: Toolkit
  let blob: string

  beforeAll(async () => {
    workspace = committed()
    blob = git(workspace, 'rev-parse', 'HEAD~1:.env')
    kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
  })
  afterAll(() => workspace[Symbol.asyncDispose]())

  it.each([
    ['git show HEAD'],
    ['git show HEAD~1'],
    ['git log -p'],
    ['git log -p --all -- app src'],
    ['git show BLOB'],
    ['git cat-file -p BLOB'],
    ['git cat-file blob BLOB'],
    ['echo BLOB | git cat-file --batch'],
    ['git diff HEAD~1'],
    ['git diff HEAD HEAD~1'],
    ['git diff-tree -p HEAD~1 HEAD'],
    ['git grep KEY HEAD~1'],
    ['git archive HEAD~1 | tar -xO'],
    ['git checkout -q HEAD~1; cat .e*'],
    ['git checkout -q HEAD~1 -- .; grep -r KEY .'],
    ['git restore --source=HEAD~1 . && head -9 .e*'],
    ['git reset -q --hard HEAD~1; grep -rh KEY .'],
    ['git format-patch -2 --root --stdout HEAD'],
    ['git fast-export --all'],
    ['git bundle create - --all | strings'],
    ['git worktree add -q /tmp/wt HEAD~1; cat /tmp/wt/.e*'],
    ['git --work-tree=/tmp checkout -q HEAD~1 -- app; cat /tmp/app/.e*'],
    ['git reset -q HEAD~1; git diff'],
    ['git reset -q --soft HEAD~1; git diff --cached'],
    ['git reset -q --soft HEAD~1; git status -v'],
    ['git stash show -p stash@{0}'],
    ['for c in $(git rev-list --all); do git show $c; done'],
    ['git rev-list --all | xargs -n1 git show'],
    ["git -c alias.peek='log -p' peek"],
    ['sh -c "git show HEAD"'],
    ['git range-diff HEAD~1 HEAD HEAD'],
    ['git revert --no-edit HEAD; grep -rh KEY .'],
    ['git -C src show HEAD -- . ":!.env"'],
    ['git log --oneline -S KEY=gone'],
    ['git log --format=%h -GKEY=.o'],
    ['git diff --quiet -S KEY HEAD~1 HEAD'],
    ['git grep -q KEY=g HEAD~1'],
    ['git grep -c KEY HEAD~1'],
    ['git blame -C -C -C src/a.ts'],
    ["printf 'a' | git apply --cached --check -"],
    ['git show BLOB -- src'],
    ['git show HEAD BLOB -- src'],
    ['git show --stat BLOB^{}'],
    ['git diff BLOB -- src/a.ts'],
    ['git tag copy BLOB; git show copy -- src'],
    ['git log --full-diff -p -- src/a.ts'],
    ['git show --full-diff HEAD~1 -- src/a.ts'],
    ["git tag copy BLOB; git for-each-ref --format='%(raw)'"],
    ["git tag copy BLOB; git tag -l --format='%(raw)'"],
    ['git notes add -C BLOB; git log'],
    ['git notes add -C BLOB; git notes show'],
    ['git update-index --cacheinfo 100644,BLOB,src/a.ts; git show :src/a.ts'],
    ['git replace $(git rev-parse HEAD:src/a.ts) BLOB; git show HEAD:src/a.ts'],
  ])('is not shown without a question: %s', async line => {
    const before = workspace.snapshot()
    const { outcome } = await kit.run('run', { command: line.replace('BLOB', blob) })
    expect(JSON.stringify(outcome)).not.toMatch(new RegExp(`${GONE}|${OLD}`))
    expect(outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(workspace.snapshot()).toEqual(before)
  })

  it.each([
    ['git status --short'],
    ['git log --oneline --stat'],
    ['git show --stat HEAD'],
    ['git diff'],
    ['git diff --stat HEAD~1'],
    ['git show HEAD:src/a.ts'],
    ['git show HEAD -- src'],
    ['git log -p -- src/a.ts'],
    ['git log'],
    ['git show main -- src'],
    ['git diff main~1 -- src/a.ts'],
    ["git for-each-ref --format='%(refname)'"],
    ['git diff HEAD~1 -- . ":!.env" ":!app"'],
    ['git grep -n b -- src'],
    ['git blame src/a.ts'],
    ['git log --oneline -S b -- src'],
    ['git grep -c b HEAD -- src'],
    ['git checkout -q -b feature && git branch -q -D main; git checkout -q -b main && git branch -q -D feature'],
    ['git checkout -q HEAD~1 -- src/a.ts && git checkout -q HEAD -- src/a.ts'],
    ['git archive HEAD src | tar -t'],
  ])('is no reason to ask about %s', async line => {
    const { outcome } = await kit.run('run', { command: line })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(JSON.stringify(outcome)).not.toMatch(new RegExp(`${GONE}|${OLD}`))
  })

  it('is shown where a person allows it', async () => {
    const asked = await workspace.open({ permissions: ['exec'], approve: fakePerson('yes') })
    const { outcome } = await asked.run('run', { command: 'git show HEAD~1:src/a.ts; git show HEAD -- .' })
    expect(JSON.stringify(outcome)).toContain(GONE)
  })
})

describe('a denied file that a reference leads to', () => {
  it.each([
    ['git show copy -- src', ['tag', 'copy', 'HEAD~1:.env']],
    ['git show --stat copy', ['tag', 'copy', 'HEAD~1:.env']],
    ['git show nested -- src', ['tag', '-am', 'x', 'nested', 'HEAD~1:.env']],
    ['git diff copy -- src/a.ts', ['tag', 'copy', 'HEAD~1:.env']],
    ['git show --tags -- src', ['tag', 'copy', 'HEAD~1:.env']],
    ['git log -1', ['notes', 'add', '-C', 'HEAD~1:.env']],
    ['git log --oneline --notes', ['notes', 'add', '-C', 'HEAD~1:.env']],
  ])('is not shown without a question: %s', async (command, args) => {
    await using workspace = committed()
    git(workspace, ...args)
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', { command })
    expect(JSON.stringify(outcome)).not.toContain(GONE)
    expect(outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
    const silent = await kit.run('run', { command: 'git log --oneline; git show --no-notes HEAD -- src' })
    expect(silent.outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
  })
})

describe('what is known of the history', () => {
  const verdict = async (kit: Toolkit, command: string) => {
    const { outcome } = await kit.run('run', { command })
    return outcome.ok ? 'ran' : outcome.error.code
  }

  it('is looked up anew for what came since: commits, a stash, an amended commit, the index', async () => {
    await using workspace = denying(repository({ 'src/a.ts': 'a\n' }))
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    expect(await verdict(kit, 'git show HEAD')).toBe('ran')
    const tips = () => JSON.parse(readFileSync(kit.state.history, 'utf8')).tips
    expect(tips()).toEqual([git(workspace, 'rev-parse', 'HEAD')])
    workspace.write('b.txt', 'b\n')
    git(workspace, 'add', '-A')
    git(workspace, 'commit', '-qm', 'second')
    expect(await verdict(kit, 'git show HEAD')).toBe('ran')
    expect(tips()).toEqual([git(workspace, 'rev-parse', 'HEAD')])
    workspace.write('.env', `KEY=${GONE}\n`)
    git(workspace, 'add', '-A')
    expect(await verdict(kit, 'git diff --cached')).toBe('rejected')
    git(workspace, 'reset', '-q')
    expect(await verdict(kit, 'git show HEAD')).toBe('ran')
    git(workspace, 'stash', '-qu')
    expect(await verdict(kit, 'git show HEAD')).toBe('rejected')
  })

  it('holds a commit that only a reflog knows', async () => {
    await using workspace = denying(repository({ '.env': `KEY=${GONE}\n` }))
    git(workspace, 'rm', '-q', '.env')
    git(workspace, 'commit', '-q', '--amend', '-m', 'without')
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    expect(await verdict(kit, 'git show HEAD')).toBe('rejected')
  })

  it('is nothing without a repository, and asks where it cannot be read', async () => {
    await using workspace = denying(repository())
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    expect(await verdict(kit, 'git show HEAD')).toBe('ran')
    const id = git(workspace, 'rev-parse', 'HEAD^{tree}')
    rmSync(join(workspace.path, '.git/objects', id.slice(0, 2), id.slice(2)))
    rmSync(kit.state.history)
    expect(await verdict(kit, 'git show HEAD')).toBe('rejected')
    rmSync(join(workspace.path, '.git'), { recursive: true })
    expect(await verdict(kit, 'git show HEAD')).toBe('ran')
  })

  it('is not looked up where nothing is denied or nothing would be shown', async () => {
    await using workspace = repository()
    const open = await workspace.open({ permissions: ['exec', 'fs:write'] })
    expect(await verdict(open, 'git show HEAD')).toBe('ran')
    denying(workspace)
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    expect(await verdict(kit, 'git status; git log --oneline; ls')).toBe('ran')
    expect(existsSync(kit.state.history)).toBe(false)
  })

  it('lets branches be switched where every denied file is there and hidden', async () => {
    await using workspace = denying(repository({ '.env': `KEY=${OLD}\n`, 'src/a.ts': 'a\n' }))
    workspace.write('.env', 'KEY=now\n')
    workspace.write('src/a.ts', 'b\n')
    git(workspace, 'commit', '-qam', 'second')
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    for (const command of [
      'git checkout -q HEAD~1 -- src && git checkout -q HEAD -- src',
      'git checkout -q HEAD~1; grep -rh KEY . .git; cat .e*; git checkout -q main',
      'echo c > src/a.ts; git stash -q; git stash pop -q; git checkout -q .; grep -rh KEY .',
    ]) {
      const { outcome } = await kit.run('run', { command })
      expect(outcome.ok ? '' : outcome.error.message).toBe('')
      expect(JSON.stringify(outcome)).not.toContain(OLD)
    }
  })
})
