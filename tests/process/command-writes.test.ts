// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { fakePerson } from '../../src/testing/fakes.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { SessionOptions } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { git, repository } from './git-world.ts'

const it = needs('bubblewrap')

const FILES = { 'src/a.ts': 'one\n', 'src/b.ts': 'one\n', 'docs/x.md': 'one\n', '.vscode/settings.json': '{}\n' }

/** Writes `x` to the files that it is given, and makes their directories. */
const MAKE = `import fs from 'node:fs'
for (const path of process.argv.slice(2)) {
  fs.mkdirSync(path.replace(/[^/]*$/, './'), { recursive: true })
  fs.writeFileSync(path, 'x')
}
console.log('out')
`

const opened = async (workspace: TemporaryWorkspace, policy: object, options: SessionOptions = {}) => {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ policy }))
  const kit = await workspace.open(options)
  const run = async (command: string, call: object = {}): Promise<Outcome> =>
    (await kit.run('run', { command }, call)).outcome
  return { kit, run }
}

const SED = 'sed -i s/one/two/ src/a.ts'
const allowing = (...allow: (string | object)[]) => ({ commands: { allow } })

describe('what a command changed that a rule let run', () => {
  it('is asked about once, with the diff of all of it, and lands on a yes', async () => {
    await using workspace = repository(FILES)
    const person = fakePerson('yes')
    const { run } = await opened(workspace, allowing('sed -i'), { approve: person })
    expect((await run('sed -i s/one/two/ src/a.ts src/b.ts')).meta.changed).toEqual(['src/a.ts', 'src/b.ts'])
    expect(person.asked).toHaveLength(1)
    expect(person.asked[0]?.diffs.join('')).toMatch(/src\/a\.ts[^]*\+two[^]*src\/b\.ts[^]*\+two/)
    expect(workspace.read('src/b.ts')).toBe('two\n')
  })

  it('is refused if no one can be asked, with exit code, output and diff, and nothing of it lands', async () => {
    await using workspace = repository(FILES)
    const before = workspace.snapshot()
    const { run } = await opened(workspace, allowing('sed -i', 'echo'))
    expect(await run(`echo out; ${SED}`)).toMatchObject({
      ok: false,
      error: {
        code: 'rejected',
        message: expect.stringContaining("'src/a.ts'"),
        hint: expect.stringContaining('fs:write:src/a.ts'),
        details: { exitCode: 0, stdout: 'out\n', paths: ['src/a.ts'], diff: expect.stringContaining('-one\n+two\n') },
      },
    })
    expect(workspace.snapshot()).toEqual(before)
  })

  it('is not asked about where the person said yes to the command, but for rules and protected places', async () => {
    await using workspace = repository(FILES)
    const person = fakePerson('yes', 'yes', 'yes', 'yes', 'no')
    const rules = [{ action: 'write', path: 'docs/**', verdict: 'ask' }]
    const { run } = await opened(workspace, { rules }, { approve: person })
    expect((await run(SED)).ok).toBe(true)
    expect(person.asked).toHaveLength(1)
    expect((await run('sed -i s/one/two/ docs/x.md')).ok).toBe(true)
    expect(person.asked).toHaveLength(3)
    expect((await run('echo 1 > .vscode/settings.json')).ok).toBe(false)
    expect(workspace.read('.vscode/settings.json')).toBe('{}\n')
  })

  it('lands where write rules allow it, is asked where one asks, and refuses as a whole where one denies', async () => {
    await using workspace = repository(FILES)
    const person = fakePerson('no')
    const rules = [
      { action: 'write', path: 'src/**', verdict: 'allow' },
      { action: 'write', path: 'src/b.ts', verdict: 'deny' },
    ]
    const { run } = await opened(workspace, { ...allowing('sed -i'), rules }, { approve: person })
    expect((await run(SED)).ok).toBe(true)
    expect(await run('sed -i s/two/three/ src/a.ts src/b.ts')).toMatchObject({
      ok: true,
      meta: { changed: ['src/a.ts'] },
    })
    expect(await run('sed -i s/o/0/ src/a.ts src/b.ts')).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(person.asked).toHaveLength(0)
    expect((await run('sed -i s/one/two/ docs/x.md')).ok).toBe(false)
    expect(person.asked).toHaveLength(1)
    expect([workspace.read('src/a.ts'), workspace.read('src/b.ts'), workspace.read('docs/x.md')]).toEqual([
      'three\n',
      'one\n',
      'one\n',
    ])
  })

  it('is what git ignores as before, unless a rule denies it', async () => {
    await using workspace = repository({ ...FILES, 'make.mjs': MAKE })
    const rules = [{ action: 'write', path: 'dist/locked/**', verdict: 'deny' }]
    const { run } = await opened(workspace, { ...allowing('node'), rules })
    const make = (path: string) => `node make.mjs ${path}/x`
    expect((await run(make('dist/free'))).ok).toBe(true)
    expect(workspace.read('dist/free/x')).toBe('x')
    expect(await run(make('dist/locked'))).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(Object.keys(workspace.snapshot())).not.toContain('dist/locked')
  })

  it('is not answered by a remembered answer to the command, nor by a pattern over its parameters', async () => {
    await using workspace = repository({ ...FILES, 'make.mjs': MAKE })
    const person = fakePerson('always', 'no')
    const { kit, run } = await opened(workspace, {}, { approve: person })
    const line = 'git add src && make test'
    writeFileSync(join(workspace.path, 'Makefile'), 'test:\n\techo x > made.txt\n')
    expect((await run(line)).ok).toBe(true)
    expect(workspace.read('made.txt')).toBe('x\n')
    writeFileSync(join(workspace.path, 'Makefile'), 'test:\n\techo y > made.txt\n')
    expect((await run(line)).ok).toBe(false)
    expect(person.asked).toHaveLength(2)
    expect(workspace.read('made.txt')).toBe('x\n')
    kit.workspace.approvals.workspace.add({
      tool: 'toolwright/run',
      pattern: '{"command":"node [^"]*"}',
      scope: 'workspace',
      workspace: kit.state.key,
      by: 'test',
      at: new Date().toISOString(),
      enabled: true,
      made: { major: 1, effects: ['create', 'exec', 'net', 'write'] },
    })
    expect((await run('node make.mjs p')).ok).toBe(false)
    expect(Object.keys(workspace.snapshot())).not.toContain('p')
  })
})

describe('what a rule says that its command may change', () => {
  it('lands without a question, and everything else is asked', async () => {
    await using workspace = repository(FILES)
    const { run } = await opened(workspace, allowing({ command: 'sed -i', writes: ['src/**'] }, 'cat'))
    expect((await run(`cat docs/x.md | ${SED} && cat src/a.ts`)).meta.changed).toEqual(['src/a.ts'])
    expect(await run('sed -i s/one/two/ src/b.ts docs/x.md')).toMatchObject({
      ok: false,
      error: { details: { paths: ['docs/x.md'] } },
    })
    expect([workspace.read('src/a.ts'), workspace.read('src/b.ts')]).toEqual(['two\n', 'one\n'])
  })

  it('holds for a line only where every command of it that may write says so', async () => {
    await using workspace = repository(FILES)
    const { run } = await opened(workspace, allowing({ command: 'sed -i', writes: ['src/**'] }, 'touch'))
    expect((await run(`touch src/a.ts; ${SED}`)).ok).toBe(false)
    expect(workspace.read('src/a.ts')).toBe('one\n')
  })

  it('lifts no deny, no rule that asks and no protected place', async () => {
    await using workspace = repository(FILES)
    const before = workspace.snapshot()
    const rules = [
      { action: 'write', path: 'src/a.ts', verdict: 'deny' },
      { action: 'write', path: 'src/b.ts', verdict: 'ask' },
    ]
    const { run } = await opened(workspace, { ...allowing({ command: 'sed -i', writes: ['**'] }), rules })
    expect(await run(SED)).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(await run('sed -i s/one/two/ src/b.ts')).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(await run('sed -i s/{/[/ .vscode/settings.json')).toMatchObject({ ok: false, error: { code: 'rejected' } })
    expect(workspace.snapshot()).toEqual(before)
  })

  it('as nothing drops the changes with a warning, keeps the answer, and does not ask', async () => {
    await using workspace = repository({ ...FILES, 'make.mjs': MAKE })
    const before = workspace.snapshot()
    const head = git(workspace, 'rev-parse', 'HEAD')
    const { run } = await opened(
      workspace,
      allowing({ command: 'node', writes: [] }, { command: 'git commit', writes: [] }),
    )
    const line = 'node make.mjs src/a.ts new .vscode/settings.json dist/y && git commit -qam next'
    const outcome = await run(line)
    expect(outcome).toMatchObject({ ok: true, data: { stdout: 'out\n', exitCode: 0 }, meta: { changed: [] } })
    expect(outcome.meta.warnings?.join()).toMatch(/Discarded.*"writes": \[\].*'src\/a\.ts'|Discarded.*the repository/)
    expect(workspace.snapshot()).toEqual(before)
    expect(git(workspace, 'rev-parse', 'HEAD')).toBe(head)
  })

  it('is what "always" at the second question proposes, from what did change', async () => {
    await using workspace = repository({
      ...FILES,
      Makefile: 'build:\n\t@sed -i s/one/two/ src/*.ts\n',
    })
    const person = fakePerson('always', 'no')
    const { run } = await opened(workspace, allowing('make build'), { approve: person })
    expect((await run('make build')).ok).toBe(true)
    expect(person.asked[0]?.card.proposal).toBe(
      "toolwright/run: run 'make build …', write src/*.ts, while Makefile stays as now",
    )
    writeFileSync(join(workspace.path, 'src/a.ts'), 'one\n')
    expect((await run('make build')).ok).toBe(true)
    expect(person.asked).toHaveLength(1)
    writeFileSync(join(workspace.path, 'Makefile'), 'build:\n\t@sed -i s/one/two/ docs/x.md\n')
    expect((await run('make build')).ok).toBe(false)
    expect(workspace.read('docs/x.md')).toBe('one\n')
  })
})

describe('a line made of reading commands alone', () => {
  it('runs on a read-only tree, and nothing of it can land', async () => {
    await using workspace = repository(FILES)
    const before = workspace.snapshot()
    const { run, kit } = await opened(workspace, allowing('git status', 'cat', 'find', 'echo'))
    expect(await run('git status --short; cat src/a.ts; find docs -name "*.md"')).toMatchObject({
      ok: true,
      data: { stdout: 'one\ndocs/x.md\n', stderr: '' },
    })
    expect(workspace.snapshot()).toEqual(before)
    await kit.session({ permissions: ['fs:write'] }).transaction(async session => {
      await session.call('write', { path: 'src/staged.ts', content: 'staged\n' })
      const { outcome } = await session.run('run', { command: 'cat src/staged.ts; git status --short' })
      expect(outcome).toMatchObject({ ok: true, data: { stdout: 'staged\n?? src/staged.ts\n' }, meta: { changed: [] } })
    })
    const shown = await opened(workspace, {
      ...allowing('git status', 'cat', 'find', 'echo'),
      rules: [{ action: 'read', path: 'docs/**', verdict: 'deny' }],
    })
    expect(await shown.run('cat docs/x.md; git status --short; find docs; cat src/a.ts')).toMatchObject({
      ok: true,
      data: { stdout: expect.stringMatching(/one\n$/), stderr: expect.stringContaining('docs') },
    })
  })

  it('cannot write even where a program does so by itself', async () => {
    await using workspace = repository({ ...FILES, 'node_modules/x': 'x' })
    const before = workspace.snapshot()
    // The workspace may be in memory, below /dev, of which a command sees no programs.
    const programs = mkdtempSync('/tmp/toolwright-programs-')
    onTestFinished(() => rmSync(programs, { recursive: true }))
    const script = '#!/bin/sh\necho x > src/new; echo x > node_modules/x; exec /bin/cat "$@"\n'
    writeFileSync(join(programs, 'cat'), script, { mode: 0o755 })
    Object.assign(workspace.env, { PATH: `${programs}:${process.env['PATH'] ?? ''}` })
    const { run } = await opened(workspace, allowing('cat'))
    const outcome = await run('cat src/a.ts')
    expect(outcome).toMatchObject({ ok: true, data: { stdout: 'one\n' }, meta: { changed: [] } })
    expect(JSON.stringify(outcome)).toContain('Read-only file system')
    expect(workspace.snapshot()).toEqual(before)
  })
})
