// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { fakePerson } from '../../src/testing/fakes.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository } from './git-world.ts'

const it = needs('bubblewrap')

const run = async (
  workspace: TemporaryWorkspace,
  command: string,
  call: object,
  permissions = ['exec', 'fs:write'],
) => {
  const kit = await workspace.open({ permissions })
  return (await kit.run('run', { command }, call)).outcome
}

const planIn = (outcome: Outcome): string =>
  (outcome.ok ? outcome.meta.plan : String(outcome.error.details?.['plan'])) ?? ''

/** What is kept of commands, in the state of the workspace. */
const kept = ({ base }: TemporaryWorkspace): string[] => {
  const workspaces = join(base, 'state/workspaces')
  return readdirSync(workspaces).flatMap(name => {
    const place = join(workspaces, name, 'commands-kept')
    return existsSync(place) ? readdirSync(place).map(entry => join(place, entry)) : []
  })
}

/** Never the same twice: a second run has another result. */
const ONCE =
  'date +%s%N | tee out; date +%s%N > src/a; mkdir -p node_modules; date +%s%N > node_modules/x; git add -A; git commit -qm "$(cat out)"; git tag v1; git symbolic-ref HEAD refs/heads/other'

describe('the result of a dry run', () => {
  it('lands as it was with its plan, in another process too, ignored paths and refs included', async () => {
    await using workspace = repository({ 'src/a': 'one\n' })
    const before = workspace.snapshot()
    const dry = await run(workspace, ONCE, { dryRun: true })
    expect(dry).toMatchObject({ ok: true, meta: { changed: ['out', 'src/a'] } })
    expect(workspace.snapshot()).toEqual(before)
    const landed = await run(workspace, ONCE, { plan: planIn(dry) })
    expect(landed).toMatchObject({ ok: true, data: dry.ok ? dry.data : {}, meta: { changed: ['out', 'src/a'] } })
    const stamp = workspace.read('out').trim()
    expect(dry.ok && Object(dry.data).stdout.trim()).toBe(stamp)
    expect(dry.meta.diff).toContain(`+${stamp}`)
    expect(Number(workspace.read('node_modules/x'))).toBeGreaterThan(Number(stamp))
    expect(git(workspace, 'log', '-1', '--format=%s', 'v1')).toBe(stamp)
    expect(git(workspace, 'symbolic-ref', 'HEAD')).toBe('refs/heads/other')
    expect(git(workspace, 'status', '--short', 'src')).toBe('A  src/a')
    expect(kept(workspace)).toEqual([])
    expect(await run(workspace, ONCE, { plan: planIn(dry) })).toMatchObject({ ok: false, error: { code: 'conflict' } })
  })

  it.each([
    [
      'a file that it changes',
      (w: TemporaryWorkspace) => writeFileSync(join(w.path, 'src/a'), 'mine\n'),
      /src\/a has changed since the plan/,
    ],
    [
      'a file that it makes',
      (w: TemporaryWorkspace) => writeFileSync(join(w.path, 'out'), 'mine\n'),
      /out has changed since the plan/,
    ],
    [
      'a path that git ignores',
      (w: TemporaryWorkspace) => writeFileSync(join(w.path, 'node_modules/x'), 'mine\n'),
      /node_modules\/x has changed since the plan/,
    ],
    [
      'a branch',
      (w: TemporaryWorkspace) => git(w, 'commit', '-qm', 'mine', '--allow-empty'),
      /^\.git\/\S+ has changed since the plan/,
    ],
    [
      'what git ignores',
      (w: TemporaryWorkspace) => writeFileSync(join(w.path, '.gitignore'), 'node_modules\nout\n'),
      /would do to src\/a is not what it was when the plan was made/,
    ],
  ])('is a conflict where %s has changed since, and nothing of it lands', async (_what, change, named) => {
    await using workspace = repository({ 'src/a': 'one\n' })
    mkdirSync(join(workspace.path, 'node_modules'))
    writeFileSync(join(workspace.path, 'node_modules/x'), 'old\n')
    const dry = await run(workspace, ONCE, { dryRun: true })
    change(workspace)
    const before = [workspace.snapshot(), git(workspace, 'for-each-ref')]
    const { ok, error } = Object(await run(workspace, ONCE, { plan: planIn(dry) }))
    expect({ ok, code: error.code }).toEqual({ ok: false, code: 'conflict' })
    expect(`${error.message} ${error.hint}`).toMatch(named)
    expect([workspace.snapshot(), git(workspace, 'for-each-ref')]).toEqual(before)
  })

  it('is for the same call alone, and nothing runs where it is not kept', async () => {
    await using workspace = repository({ 'src/a': 'one\n' })
    const dry = await run(workspace, ONCE, { dryRun: true })
    const before = workspace.snapshot()
    const refused = { ok: false, error: { code: 'conflict' } }
    expect(await run(workspace, `${ONCE}; echo x > y`, { plan: planIn(dry) })).toMatchObject(refused)
    expect(await run(workspace, ONCE, { plan: 'plan-00000000000000000000000000000000' })).toMatchObject(refused)
    expect(await run(workspace, ONCE, { plan: '../../x' })).toMatchObject(refused)
    expect(workspace.snapshot()).toEqual(before)
  })

  it('is judged again when it lands', async () => {
    await using workspace = repository({ 'src/a': 'one\n' })
    const line = 'echo two > src/a'
    const dry = await run(workspace, line, { dryRun: true })
    expect(await run(workspace, line, { plan: planIn(dry) }, ['exec'])).toMatchObject({ error: { code: 'rejected' } })
    expect(await run(workspace, line, { plan: planIn(dry) }, [])).toMatchObject({ error: { code: 'rejected' } })
    expect(workspace.read('src/a')).toBe('one\n')
    expect(await run(workspace, line, { plan: planIn(dry) })).toMatchObject({ ok: true })
    expect(workspace.read('src/a')).toBe('two\n')
  })

  it('expires, and only the newest are kept', async () => {
    await using workspace = repository({ 'src/a': 'one\n' })
    const first = await run(workspace, 'echo 0 > src/a', { dryRun: true })
    const old = new Date(Date.now() - 25 * 3_600_000)
    for (const place of kept(workspace))
      for (const name of ['result.json', '.']) utimesSync(join(place, name), old, old)
    expect(await run(workspace, 'echo 0 > src/a', { plan: planIn(first) })).toMatchObject({
      error: { code: 'conflict' },
    })
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    for (let at = 1; at < 20; at++) await kit.run('run', { command: `echo ${at} > src/a` }, { dryRun: true })
    expect(kept(workspace)).toHaveLength(16)
  })
})

describe('the result of a command that no one could be asked about', () => {
  it('lands with the plan of its refusal, without running again', async () => {
    await using workspace = repository({ 'src/a': 'one\n' })
    const line = 'date +%s%N > src/a; cat src/a; date +%s%N > made'
    const refused = await run(workspace, line, {}, ['exec'])
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'rejected', hint: expect.stringContaining(`--plan plan-`), details: { exitCode: 0 } },
    })
    expect(workspace.read('src/a')).toBe('one\n')
    const kit = await workspace.open({ permissions: ['exec'] })
    const person = fakePerson('yes')
    kit.questions.attach(person)
    const { outcome } = await kit.run('run', { command: line }, { plan: planIn(refused) })
    expect(outcome).toMatchObject({ ok: true, meta: { changed: ['made', 'src/a'] } })
    expect(person.asked).toHaveLength(1)
    const stdout = refused.ok ? '' : String(refused.error.details?.['stdout'])
    expect([workspace.read('src/a'), Object(outcome.ok && outcome.data).stdout]).toEqual([stdout, stdout])
    expect(kept(workspace)).toEqual([])
  })

  it('is not kept where a person said no', async () => {
    await using workspace = repository({ 'src/a': 'one\n' })
    const kit = await workspace.open({ permissions: ['exec'], approve: fakePerson('no') })
    const { outcome } = await kit.run('run', { command: 'echo x > src/a' })
    expect(outcome).toMatchObject({ ok: false, error: { details: { by: 'a fake person' } } })
    expect([planIn(outcome), kept(workspace)]).toEqual(['undefined', []])
  })
})
