// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { fakeSecrets, temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { replayed, taped, unequal } from './taped.ts'

const it = needs('bubblewrap')
const SECRET = 'correct-horse-battery-staple-4711'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
})
afterEach(() => workspace.remove())

describe('commands', () => {
  it('SG-24: find the same time zone, language and date everywhere in deterministic mode', async () => {
    const kit = await workspace.open({ deterministic: true, permissions: ['exec', 'fs:write'] })
    const command = 'echo $TZ $LANG $LC_ALL $SOURCE_DATE_EPOCH; echo made > made.txt'
    const first = await kit.run('run', { command })
    expect(first.outcome).toMatchObject({
      ok: true,
      data: { stdout: 'UTC C.UTF-8 C.UTF-8 315532800\n', durationMs: 0 },
      meta: { changed: ['made.txt'] },
    })
    const record = [...kit.workspace.journal.read()].at(-1)
    expect(record).toMatchObject({ exitCode: 0, durationMs: 0, time: '1980-01-01T00:00:00.000Z' })
    expect(record).not.toHaveProperty('resources')
  })

  it('SG-24: get fixed seeds, and no network; the clock of the system stays real, as the option says', async () => {
    const kit = await workspace.open({ deterministic: true, permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', {
      command:
        'echo $PYTHONHASHSEED $PERL_HASH_SEED; (echo > /dev/tcp/127.0.0.1/80) 2>/dev/null || echo none; date +%Y',
    })
    expect(outcome).toMatchObject({ ok: true, data: { stdout: expect.stringMatching(/^0 0\nnone\n20\d\d\n$/) } })
  })

  it('SG-24: make the same commits with git in deterministic mode', async () => {
    const kit = await workspace.open({ deterministic: true, permissions: ['exec', 'fs:write'] })
    const identity = ['author', 'committer'].flatMap(who =>
      ['name', 'email'].map(what => `-c ${who}.${what}=t@example.com`),
    )
    const git = `git ${identity.join(' ')}`
    const { outcome } = await kit.run('run', {
      command: `git init -q -b main; git add a.txt; ${git} commit -qm first; ${git} tag -am one v1; git log -1 --format='%H %at %ct'; git rev-parse v1`,
    })
    expect(outcome).toMatchObject({
      ok: true,
      data: { stdout: expect.stringMatching(/^[0-9a-f]{40} 315532800 315532800\n[0-9a-f]{40}\n$/) },
    })
    const { outcome: again } = await kit.run('run', {
      command: `cp a.txt /tmp; cd /tmp; git init -q -b main; git add a.txt; sleep 1; ${git} commit -qm first; ${git} tag -am one v1; git log -1 --format='%H %at %ct'; git rev-parse v1`,
    })
    expect(again).toMatchObject({ ok: true, data: { stdout: Object(outcome.ok && outcome.data).stdout } })
  })

  it('SG-24: so do validators, whose time is not told', async () => {
    const command = ['sh', '-c', 'echo $TZ $SOURCE_DATE_EPOCH; pwd']
    const validators = [{ name: 'where', globs: ['**'], command }]
    mkdirSync(join(workspace.base, 'config'))
    writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ validators }))
    const kit = await workspace.open({ deterministic: true, permissions: ['fs:write'] })
    await kit.run('stage', { action: 'begin' })
    await kit.run('write', { path: 'b.txt', content: 'x', expect: 'absent' })
    const { outcome } = await kit.run('stage', { action: 'validate' })
    expect(outcome).toMatchObject({
      ok: true,
      data: {
        validators: [{ name: 'where', passed: true, output: `UTC 315532800\n${workspace.path}\n`, durationMs: 0 }],
      },
    })
  })

  it('replay with what they printed, changed and were ended by, and run nothing', async () => {
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder, permissions: ['exec'] })
    await kit.run('run', { command: 'cat a.txt; echo two >> a.txt; echo oops >&2; exit 3' })
    await kit.run('run', { command: 'sleep 30', timeoutMs: 200 })
    await kit.run('run', { command: 'echo would > made.txt' }, { dryRun: true })
    await kit.run('run_in_terminal', { command: 'echo from the other contract' }, { contract: 'cli-agent' })
    await kit.run('terminal_last_command', {}, { contract: 'cli-agent' })
    const before = workspace.snapshot()
    const calls = await replayed(tape.text())
    expect(unequal(calls)).toEqual([])
    expect(calls).toHaveLength(5)
    expect(workspace.snapshot()).toEqual(before)
  })

  it('SG-21: leave no secret in a recording, whole, encoded or in pieces', async () => {
    const tape = taped()
    const kit = await workspace.open({
      record: tape.recorder,
      secrets: fakeSecrets({ KEY: SECRET }),
      grantSecrets: true,
      permissions: ['exec', 'fs:write'],
    })
    const command = 'printf %s $ENV.KEY | fold -w 9; echo; printf %s $ENV.KEY | base64; printf %s $ENV.KEY > out.txt'
    const { outcome } = await kit.run('run', { command }, { onOutput: () => {} })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0 } })
    expect(workspace.read('out.txt')).toBe(SECRET)
    expect(tape.text()).not.toContain(SECRET)
    expect(tape.text()).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 20))
    expect(unequal(await replayed(tape.text()))).toEqual([])
  })
})
