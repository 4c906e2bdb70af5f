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

  const twice = async (command: string): Promise<readonly string[]> => {
    const kit = await workspace.open({ deterministic: true, permissions: ['exec', 'fs:write'] })
    const printed: string[] = []
    for (let round = 0; round < 2; round++) {
      const { outcome } = await kit.run('run', { command })
      expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0, stderr: '' } })
      if (outcome.ok) printed.push(String(Object(outcome.data).stdout))
    }
    expect(printed[1]).toBe(printed[0])
    return (printed[0] ?? '').trim().split('\n')
  }

  it('SG-24: get no network', async () => {
    expect(await twice('(echo > /dev/tcp/127.0.0.1/80) 2>/dev/null || echo none')).toEqual(['none'])
  })

  it('SG-24: get the same random numbers in every run from $RANDOM, Python and Node', async () => {
    const [bash = '', nested, python, set, node] = await twice(
      [
        'echo $RANDOM $RANDOM $RANDOM',
        "bash -c 'echo $RANDOM $RANDOM $RANDOM'",
        "python3 -c 'import random; print(random.random(), random.sample(range(99), 3))'",
        'python3 -c \'print({"a", "b", "c", "d"}, hash("a"))\'',
        'node -p \'[Math.random(), Math.random()].join(" ")\'',
      ].join('; '),
    )
    expect(nested).toBe(bash)
    expect(new Set(bash.split(' ')).size).toBe(3)
    expect(python).toMatch(/^0\.\d+ \[\d+, \d+, \d+\]$/)
    expect(set).toMatch(/^\{.+\} -?\d+$/)
    expect(node).toMatch(/^0\.\d+ 0\.\d+$/)
  })

  it('SG-24: keep modules, start files and options of the project', async () => {
    workspace.write('random.py', 'seed = "its own"\n')
    workspace.write('lib/sitecustomize.py', 'import builtins\nbuiltins.first = "customized"\n')
    workspace.write(
      'main.py',
      'import random, sys\nprint(random.seed, first, any("seeds" in place for place in sys.path))\n',
    )
    const kit = await workspace.open({
      deterministic: true,
      permissions: ['exec', 'fs:write'],
      commandEnv: { PYTHONPATH: `${workspace.path}/lib`, NODE_OPTIONS: '--stack-trace-limit=3' },
    })
    const { outcome } = await kit.run('run', {
      command:
        'PATH=/usr/bin:$PATH python3 main.py; node -p "Error.stackTraceLimit + new Date(5).toISOString() + (new Date() instanceof Date)"',
    })
    expect(outcome).toMatchObject({
      ok: true,
      data: { stdout: 'its own customized False\n31970-01-01T00:00:00.005Ztrue\n', stderr: '' },
    })
  })

  it('SG-24: find the time of Node and bash at the beginning of 1980', async () => {
    const printed = await twice(
      'echo $EPOCHSECONDS $EPOCHREALTIME; node -p "[Date.now(), new Date().toISOString(), Date()].join()"',
    )
    expect(printed).toEqual([
      '315532800 315532800.000000',
      '315532800000,1980-01-01T00:00:00.000Z,Tue Jan 01 1980 00:00:00 GMT+0000 (Coordinated Universal Time)',
    ])
  })

  needs('bubblewrap', 'faketime')('SG-24: find the time of every program there with libfaketime', async () => {
    const printed = await twice(
      [
        'date +%s.%N',
        'TZ=Asia/Tokyo date +%s',
        "python3 -c 'import datetime, time; time.sleep(0.05); print(datetime.datetime.now(), time.time())'",
        "perl -e 'print scalar(localtime), chr 10'",
      ].join('; '),
    )
    expect(printed).toEqual([
      '315532800.000000000',
      '315532800',
      '1980-01-01 00:00:00 315532800.0',
      'Tue Jan  1 00:00:00 1980',
    ])
  })

  it('SG-24: find file times, durations and builds as they are', async () => {
    workspace.write('Makefile', 'out: in\n\tcp in out\n')
    workspace.write('in', '1')
    const kit = await workspace.open({ deterministic: true, permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', {
      command: `make -s; make -s; sleep 0.05; touch in; [ in -nt out ] && make; touch -d 2001-01-01 old; stat -c %Y old
python3 -c 'import subprocess, time; since = time.monotonic()
try: subprocess.run(["sleep", "9"], timeout=0.2)
except subprocess.TimeoutExpired: print(0.2 <= time.monotonic() - since < 9)'`,
    })
    expect(outcome).toMatchObject({ ok: true, data: { stdout: 'cp in out\n978307200\nTrue\n', stderr: '' } })
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
    const command = ['bash', '-c', 'echo $TZ $SOURCE_DATE_EPOCH $EPOCHSECONDS; pwd']
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
        validators: [
          { name: 'where', passed: true, output: `UTC 315532800 315532800\n${workspace.path}\n`, durationMs: 0 },
        ],
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
