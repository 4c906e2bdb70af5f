// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import type { OutputChunk } from '../../src/kernel/run-facts.ts'
import { fakePerson } from '../../src/testing/fakes.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { SessionOptions } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { git, repository } from './git-world.ts'

const it = needs('bubblewrap')

const opened = async (workspace: TemporaryWorkspace, options: SessionOptions = {}) => {
  const kit = await workspace.open({ permissions: ['exec', 'fs:write'], ...options })
  const run = async (command: string, more: object = {}, call: object = {}): Promise<Outcome> =>
    (await kit.run('run', { command, ...more }, call)).outcome
  return { kit, run }
}

const data = (outcome: Outcome): { exitCode: number; stdout: string; stderr: string } => {
  if (!outcome.ok) throw outcome.error
  return outcome.data as { exitCode: number; stdout: string; stderr: string }
}

/** What was made for commands and is still there. */
const left = ({ base }: TemporaryWorkspace): string[] => {
  const workspaces = join(base, 'state/workspaces')
  return readdirSync(workspaces).flatMap(name => {
    const place = join(workspaces, name, 'commands')
    return existsSync(place) ? readdirSync(place) : []
  })
}

describe('what a command changes', () => {
  it('is a transaction of one: told, shown, and undone', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n', 'old/b.txt': 'moved as it is\n', 'c.sh': 'echo\n' })
    const before = workspace.snapshot()
    const { kit, run } = await opened(workspace)
    const outcome = await run(
      'echo two >> a.txt; mkdir -p new && mv old/b.txt new/ && rmdir old; chmod 755 c.sh; ln -s a.txt link; echo gone > x; rm x',
    )
    expect(data(outcome)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
    expect(outcome.meta.changed).toEqual(['a.txt', 'c.sh', 'link', 'new', 'old/b.txt', 'new/b.txt', 'old'])
    expect(workspace.read('a.txt')).toBe('one\ntwo\n')
    expect(workspace.snapshot()).toMatchObject({ 'c.sh': expect.stringMatching(/^755 /), link: '-> a.txt' })
    expect((await kit.run('undo', { id: outcome.meta.undo })).outcome.ok).toBe(true)
    expect(workspace.snapshot()).toEqual(before)
    expect(left(workspace)).toEqual([])
  })

  it('SG-19: in a dry run is shown as a diff and forgotten, and its plan lands it', async () => {
    await using workspace = repository()
    const before = workspace.snapshot()
    const { run } = await opened(workspace)
    const line =
      'sed -i s/one/two/ a.txt; mkdir node_modules; echo x > node_modules/x; git add -A; git commit -qm second'
    const dry = await run(line, {}, { dryRun: true })
    expect(data(dry).exitCode).toBe(0)
    expect(dry.meta.diff).toContain('-one\n+two\n')
    expect(dry.meta.diff).toMatch(
      /^diff --git a\/\.git b\/\.git$[^]*^-refs\/heads\/main \w+\n[^]*^\+refs\/heads\/main \w+$/m,
    )
    expect((await run('git status', {}, { dryRun: true })).meta.warnings).toBeUndefined()
    expect(workspace.snapshot()).toEqual(before)
    expect(git(workspace, 'log', '--oneline').split('\n')).toHaveLength(1)
    const sed = await run('sed -i s/one/two/ a.txt', {}, { dryRun: true })
    expect((await run('sed -i s/one/two/ a.txt', {}, { plan: sed.meta.plan })).meta.changed).toEqual(['a.txt'])
    expect(workspace.read('a.txt')).toBe('two\n')
    expect(left(workspace)).toEqual([])
  })

  it('is seen by, and sees, what else is staged in a transaction', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n', 'gone.txt': 'x' })
    const { kit } = await opened(workspace)
    await kit.transaction(async session => {
      await session.call('write', { path: 'staged.txt', content: 'staged\n' })
      await session.call('delete', { path: 'gone.txt' })
      const { outcome } = await session.run('run', {
        command: 'ls; cat staged.txt; echo more >> staged.txt; cp staged.txt copy.txt',
      })
      expect(data(outcome).stdout).toBe('a.txt\nstaged.txt\nstaged\n')
      expect(outcome.meta.transaction).toBeDefined()
      expect(Object.keys(workspace.snapshot())).toEqual(['a.txt', 'gone.txt'])
      const { outcome: read } = await session.run('read', { path: 'copy.txt' })
      expect(read.ok && read.data).toMatchObject({ content: 'staged\nmore\n' })
    })
    expect(Object.keys(workspace.snapshot())).toEqual(['a.txt', 'copy.txt', 'staged.txt'])
  })

  it('is a conflict if another program changed the same file meanwhile, and its output is kept', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n', 'b.txt': 'b\n' })
    const { run } = await opened(workspace)
    const begun = Promise.withResolvers<void>()
    const line = 'cat a.txt; echo begun > b.txt; echo begun >&2; sleep 1; echo mine > a.txt'
    // Not before cat has seen the end of the file.
    const running = run(line, {}, { onOutput: ({ text }: OutputChunk) => text.includes('begun') && begun.resolve() })
    await begun.promise
    writeFileSync(join(workspace.path, 'a.txt'), 'theirs\n')
    const outcome = await running
    expect(outcome).toMatchObject({ ok: false, error: { code: 'conflict', details: { stdout: 'one\n', exitCode: 0 } } })
    expect([workspace.read('a.txt'), workspace.read('b.txt')]).toEqual(['theirs\n', 'b\n'])
    expect(left(workspace)).toEqual([])
  })

  it('SG-18: never lands where policy denies it; nothing of the command is kept then', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n', 'toolwright.json': '{}' })
    const before = workspace.snapshot()
    const { run } = await opened(workspace)
    expect(await run('echo two > a.txt; mkdir .sage; echo x > .sage/x')).toMatchObject({
      ok: false,
      error: { code: 'denied', details: { paths: ['.sage', '.sage/x'] } },
    })
    expect(workspace.snapshot()).toEqual(before)
  })

  it('asks with the diff if a protected place changes, and lands nothing without an answer', async () => {
    await using workspace = temporaryWorkspace({ '.vscode/settings.json': '{}\n' })
    const before = workspace.snapshot()
    const { run } = await opened(workspace)
    const line = 'echo evil > .vscode/settings.json'
    expect(await run(line)).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(workspace.snapshot()).toEqual(before)
    const person = fakePerson('yes')
    const { run: asked } = await opened(workspace, { approve: person })
    expect((await asked(line)).ok).toBe(true)
    expect(person.asked[0]?.diffs.join('')).toContain('+evil')
    expect(workspace.read('.vscode/settings.json')).toBe('evil\n')
  })

  it.each([
    ['a named pipe', 'mkfifo p'],
    ['a socket', `node -e "require('net').createServer().listen('s.sock',()=>process.kill(process.pid,'SIGKILL'))"`],
  ])('refuses %s with its name', async (_, line) => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
    const before = workspace.snapshot()
    const { run } = await opened(workspace)
    expect(await run(line)).toMatchObject({
      ok: false,
      error: { code: 'denied', message: expect.stringContaining('left') },
    })
    expect(workspace.snapshot()).toEqual(before)
  })

  it('does not follow a link out of the workspace, neither while it runs nor when it lands', async () => {
    await using workspace = repository()
    mkdirSync(join(workspace.base, 'outside'))
    symlinkSync('../outside', join(workspace.path, 'dist'))
    const { run } = await opened(workspace)
    await run(
      'rm -f dist; mkdir dist; echo x > dist/x; mkdir node_modules; ln -s ../../outside node_modules/out; echo y > y.txt',
    )
    expect(readdirSync(join(workspace.base, 'outside'))).toEqual([])
    expect(workspace.read('y.txt')).toBe('y\n')
  })

  it('leaves two commands at once to one another’s end', async () => {
    await using workspace = temporaryWorkspace({ count: '0\n' })
    const { run } = await opened(workspace)
    const outcomes = await Promise.all(
      Array.from({ length: 3 }, () => run('n=$(cat count); sleep 0.05; echo $((n+1)) > count')),
    )
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(workspace.read('count')).toBe('3\n')
  })
})

describe('git and what it ignores', () => {
  it('lets an allowed git add and git commit work, and says what is not undone', async () => {
    await using workspace = repository()
    const { run } = await opened(workspace)
    const outcome = await run(
      'echo new > new.txt && git add -A && git commit -q -m second && git branch side && git tag v1',
    )
    expect(data(outcome)).toMatchObject({ exitCode: 0, stderr: '' })
    expect(outcome.meta.changed).toEqual(['new.txt'])
    expect(git(workspace, 'log', '--format=%s %an')).toBe('second Test\nfirst Test')
    expect(git(workspace, 'status', '--short')).toBe('')
    expect(git(workspace, 'branch', '--list', 'side')).toContain('side')
    expect(git(workspace, 'fsck', '--strict')).toBe('')
    expect(data(await run('git log --oneline | wc -l')).stdout.trim()).toBe('2')
  })

  it('keeps hooks, config, commondir, alternates and nested repositories out of the real tree', async () => {
    await using workspace = repository()
    const before = workspace.snapshot()
    const { run } = await opened(workspace)
    const outcome = await run(
      [
        'echo evil > .git/hooks/pre-commit',
        'git config core.fsmonitor evil',
        'echo evil >> .git/info/exclude',
        'mkdir -p .git/evil && echo ../.git/evil > .git/commondir',
        'echo /evil > .git/objects/info/alternates',
        'mkdir -p .git/worktrees/x && echo evil > .git/worktrees/x/gitdir',
        'ln -sf /etc/passwd .git/refs/heads/evil',
        'git init -q sub && echo x > sub/x',
        'echo evil | tee .git/description .git/config.worktree .git/gitdir .git/other >/dev/null',
        'mkdir -p .git/modules/x && echo evil > .git/modules/x/config',
        'true',
      ].join('; '),
    )
    expect(data(outcome).exitCode).toBe(0)
    expect(outcome.meta.changed).toEqual(['sub', 'sub/x'])
    expect(outcome.meta.warnings?.join()).toMatch(/Not kept of what the command changed: .*\.git\//)
    const { 'sub/': _sub, 'sub/x': _x, ...after } = workspace.snapshot()
    expect(after).toEqual(before)
  })

  it('leaves a repository alone that a command takes away', async () => {
    await using workspace = repository()
    const before = workspace.snapshot()
    const { run } = await opened(workspace)
    const outcome = await run('rm -rf .git; rm -f .git/HEAD; true')
    expect(outcome.meta.warnings?.join()).toContain('Not kept')
    expect(workspace.snapshot()).toEqual(before)
  })

  it('applies ignored paths when it ends, and undoes the rest alone', async () => {
    await using workspace = repository({ 'src/a.ts': 'a\n' })
    const { kit, run } = await opened(workspace)
    const made = await run(
      'mkdir -p node_modules/x/bin && echo 1 > node_modules/x/i.js && ln -s ../i.js node_modules/x/bin/i && echo log > src/b.log && echo b > src/b.ts',
    )
    expect(made.meta.changed).toEqual(['src/b.ts'])
    expect(workspace.read('node_modules/x/i.js')).toBe('1\n')
    expect(workspace.read('node_modules/x/bin/i')).toBe('1\n')
    expect(workspace.read('src/b.log')).toBe('log\n')
    expect((await run('echo 2 > node_modules/x/i.js; rm -rf src')).meta.changed).toEqual(['src/a.ts', 'src/b.ts'])
    expect(workspace.read('node_modules/x/i.js')).toBe('2\n')
    expect(existsSync(join(workspace.path, 'src'))).toBe(false)
    expect((await kit.run('undo', {})).outcome.ok).toBe(true)
    expect(workspace.read('src/b.ts')).toBe('b\n')
    expect(data(await run('rm -rf node_modules')).exitCode).toBe(0)
    expect(existsSync(join(workspace.path, 'node_modules'))).toBe(false)
  })

  it('undoes unasked what git had before the change, within one second too, and asks about what it has since', async () => {
    await using workspace = repository({ 'src/a.ts': 'a\n' })
    const { kit, run } = await opened(workspace)
    await run('echo b > src/a.ts')
    await setTimeout(1000 - (Date.now() % 1000))
    git(workspace, 'commit', '-q', '-a', '-m', 'before')
    await run('echo c > src/a.ts')
    expect((await kit.run('undo', {})).outcome.ok).toBe(true)
    await run('echo d > src/a.ts')
    git(workspace, 'commit', '-q', '-a', '-m', 'after')
    const { outcome } = await kit.run('undo', {})
    expect(outcome.ok ? outcome.data : outcome.error.message).toMatch(/committed to git since then \([0-9a-f]+ after\)/)
  })

  it('does not take the command’s own word for what is ignored', async () => {
    await using workspace = repository()
    const { run } = await opened(workspace)
    const outcome = await run("echo '*' > .gitignore; echo x > x.txt")
    expect(outcome.meta.changed).toEqual(['.gitignore', 'x.txt'])
  })

  it('judges ignored paths too where a protected name or a rule is meant', async () => {
    await using workspace = repository({ '.gitignore': '.vscode/\nnode_modules/\n' })
    const { run } = await opened(workspace)
    expect(await run('mkdir .vscode; echo x > .vscode/tasks.json')).toMatchObject({
      ok: false,
      error: { code: 'rejected' },
    })
    expect(existsSync(join(workspace.path, '.vscode'))).toBe(false)
    expect((await run('mkdir -p node_modules/p; echo x > node_modules/p/.travis.yml')).ok).toBe(true)
    expect(workspace.read('node_modules/p/.travis.yml')).toBe('x\n')
  })
})

describe('what a command may not read', () => {
  it('keeps one rule for read, cat, python, a copy and a glob', async () => {
    await using workspace = repository({
      '.env': 'TOP=hidden\n',
      'config/.env.local': 'TOP=hidden\n',
      'config/x': 'x\n',
    })
    mkdirSync(join(workspace.base, 'config'), { recursive: true })
    writeFileSync(
      join(workspace.base, 'config/config.json'),
      JSON.stringify({ policy: { rules: [{ action: 'read', path: '**/.env*', verdict: 'deny' }] } }),
    )
    const before = workspace.snapshot()
    const { kit, run } = await opened(workspace)
    expect((await kit.run('read', { path: '.env' })).outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
    const outcome = await run(
      'cat .env; cat config/.env.local; python3 -c "print(open(\'.env\').read())"; cp .env copy; cat */.env* .env; mv config moved; cat moved/.env.local; ln .env hard; cat hard; ls -a config; cat config/x',
    )
    if (!outcome.ok) throw outcome.error
    expect(JSON.stringify(outcome)).not.toContain('hidden')
    expect(JSON.stringify(workspace.snapshot())).toContain('.env.local')
    expect(workspace.snapshot()['.env']).toBe(before['.env'])
    expect(workspace.snapshot()['config/.env.local']).toBe(before['config/.env.local'])
    expect(await run('git show HEAD:.env')).toMatchObject({ ok: false, error: { code: 'denied' } })
  })
})
