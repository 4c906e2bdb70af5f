// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { fakePerson, fakeSecrets } from '../../src/testing/fakes.ts'
import { temporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { noneLeft } from '../sandbox/world.ts'
import { needs } from '../needs.ts'
import { repository } from './git-world.ts'

const it = needs('bubblewrap')

const details = (outcome: Outcome): { stdout: string; stderr: string; limit: string } => {
  if (outcome.ok) throw new Error('it succeeded')
  return outcome.error.details as { stdout: string; stderr: string; limit: string }
}

describe('limits of a command', () => {
  it('SG-17: ends the whole tree after its time, a setsid child too, and keeps what it printed', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
    const kit = await workspace.open({ permissions: ['exec'] })
    const started = performance.now()
    const { outcome } = await kit.run('run', {
      command: 'echo begun; echo two > a.txt; setsid sleep 61.7 & (setsid sleep 61.7 &) ; trap "" TERM; sleep 61.7',
      timeoutMs: 700,
    })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'timeout' } })
    expect(details(outcome)).toMatchObject({ stdout: 'begun\n', limit: 'wall' })
    // Long before those that it started would have ended by themselves.
    expect(performance.now() - started).toBeLessThan(30_000)
    expect(await noneLeft('61.7')).toEqual([])
    expect(workspace.read('a.txt')).toBe('one\n')
  })

  it('SG-17: stops a flood at its quota without growing, and keeps its beginning and end', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ permissions: ['exec'] })
    const before = process.memoryUsage().rss
    const { outcome } = await kit.run('run', { command: 'echo first; yes "$(head -c 1000 /dev/zero | tr "\\0" y)"' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'quota' } })
    const { stdout, limit } = details(outcome)
    expect(limit).toBe('output')
    expect(stdout.startsWith('first\nyyy')).toBe(true)
    expect(stdout).toMatch(/… \d+ more bytes in ref:\w+\n/)
    expect(stdout.length).toBeLessThan(1.1 * 1024 ** 2)
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 ** 2)
    expect((await kit.run('run', { command: 'echo next' })).outcome).toMatchObject({
      ok: true,
      data: { stdout: 'next\n' },
    })
  })

  it('SG-17: ends what fills the disk, in many files too, and keeps nothing of it', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
    mkdirSync(join(workspace.base, 'config'))
    const limits = { commands: { writtenBytes: 40 * 1024 ** 2 } }
    writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ limits }))
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const { outcome } = await kit.run('run', {
      command: 'echo begun; for i in $(seq 400); do head -c 4M /dev/urandom > file$i; sleep 0.02; done',
    })
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'quota', message: expect.stringContaining('more than 40 MB to the workspace') },
    })
    expect(details(outcome)).toMatchObject({ stdout: 'begun\n', limit: 'written' })
    expect(readdirSync(workspace.path)).toEqual(['a.txt'])
    const fine = await kit.run('run', {
      command: 'truncate -s 400M holes; rm holes; head -c 20M /dev/zero > half; rm half',
    })
    expect(fine.outcome.ok).toBe(true)
  })

  it('SG-15: ends it when its caller is gone', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ permissions: ['exec'] })
    const { outcome } = await kit.run('run', { command: 'sleep 62.3' }, { signal: AbortSignal.timeout(500) })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'cancelled' } })
    expect(await noneLeft('62.3')).toEqual([])
  })
})

describe('SG-15: what a command finds around it', () => {
  it('has an environment of its own, its directory, and no network', async () => {
    await using workspace = temporaryWorkspace({ 'sub/x': '' })
    process.env['SECRET_OF_OURS'] = 'do not tell'
    try {
      const kit = await workspace.open({ permissions: ['exec'], commandEnv: { GIVEN: 'by the program' } })
      const { outcome } = await kit.run('run', {
        command: 'env; pwd; cat; (echo > /dev/tcp/127.0.0.1/80) 2>&1 | tail -1',
        cwd: 'sub',
        stdin: 'from stdin\n',
      })
      const { stdout } = Object(outcome.ok && outcome.data)
      expect(stdout).not.toContain('do not tell')
      for (const part of ['GIVEN=by the program', `${workspace.path}/sub\n`, 'from stdin\n', 'refused'])
        expect(stdout).toContain(part)
      for (const cwd of ['..', 'none', 'sub/x'])
        expect((await kit.run('run', { command: 'pwd', cwd })).outcome.ok).toBe(false)
    } finally {
      delete process.env['SECRET_OF_OURS']
    }
  })
})

describe('secrets of a command', () => {
  it('SG-20, SG-21: come by variable and standard input, and show neither in an argument, the answer, the stream nor the journal', async () => {
    const value = 'sk-very-secret-0123456789'
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({
      permissions: ['exec', 'secret:*'],
      secrets: fakeSecrets({ TOKEN: value }),
    })
    const heard: string[] = []
    const { outcome, answer } = await kit.run(
      'run',
      {
        // More than is held back, so that the rest is seen to come in pieces.
        command: `printf '%03000d\\n' 7; sleep 0.1; tr '\\0' ' ' < /proc/$$/cmdline; printf %s "$ENV.TOKEN" | wc -c; cat; x=$ENV.TOKEN; printf %s "\${x:0:9}"; sleep 0.1; printf %s "\${x:9}"`,
        stdin: 'in $ENV.TOKEN',
      },
      { onOutput: ({ text }) => heard.push(text) },
    )
    if (!outcome.ok) throw outcome.error
    const { stdout } = Object(outcome.data)
    expect(stdout).toContain(`\n${value.length}\n`.slice(1))
    expect(stdout).toContain('TOOLWRIGHT_SECRET_TOKEN')
    expect(stdout).toContain('[redacted:TOKEN]')
    const journal = readdirSync(kit.state.journal)
      .map(name => readFileSync(`${kit.state.journal}/${name}`, 'utf8'))
      .join('')
    for (const shown of [JSON.stringify(answer), heard.join(''), journal]) {
      expect(shown).not.toContain(value)
      expect(shown).not.toContain(value.slice(9))
    }
    expect(heard.length).toBeGreaterThan(1)
    expect((await kit.run('run', { argv: ['echo', '$ENV.TOKEN'] })).outcome).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', hint: expect.stringContaining('shell line') },
    })
  })
})

describe('a secret in more output than is kept', () => {
  it('SG-21: shows neither half where the cut divides it', async () => {
    const value = 'zq7Xv2LmN9pRt4Wb8Yc3kHd6sFg1jQe5'
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({
      permissions: ['exec', 'secret:*'],
      secrets: fakeSecrets({ TOKEN: value }),
      contract: 'cli-agent',
    })
    // The first and the last half megabyte are kept: each of the two ends inside a secret.
    const filling = (bytes: number, letter: string) => `head -c ${bytes} /dev/zero | tr '\\0' ${letter}`
    const most = 512 * 1024 - 12
    const command = `${filling(most, 'A')}; printf %s "$ENV.TOKEN"; ${filling(200_000, 'B')}; printf %s "$ENV.TOKEN"; ${filling(most, 'C')}`
    const told = JSON.stringify(await kit.call('run_in_terminal', { command }))
    expect(told).toMatch(/… \d+ more bytes in ref:\w+/)
    for (let at = 0; at + 6 <= value.length; at++) expect(told).not.toContain(value.slice(at, at + 6))
  })
})

describe('background commands', () => {
  it('go on by themselves: polled, read on, written to and stopped; they write at once', async () => {
    await using workspace = repository({ '.vscode/settings.json': '{}' })
    const config = workspace.read('.git/config')
    const kit = await workspace.open({ permissions: ['exec'], approve: fakePerson('yes') })
    const call = async (input: object) => {
      const { outcome } = await kit.run('run', input)
      if (!outcome.ok) throw outcome.error
      return Object(outcome.data)
    }
    const { handle, running } = await call({
      command:
        'while read -r line; do echo "got $line"; echo "$line" >> out.txt; echo x >> .vscode/settings.json; echo x >> .git/config; done',
      background: true,
    })
    expect(running).toBe(true)
    await call({ handle, action: 'write', input: 'one\n' })
    const first = await until(
      () => call({ handle, action: 'read' }),
      ({ stdout }) => stdout.includes('got one'),
    )
    expect(workspace.read('out.txt')).toBe('one\n')
    await call({ handle, action: 'write', input: 'two\n' })
    const second = await until(
      () => call({ handle, action: 'read', since: first.offset }),
      ({ stdout }) => stdout.includes('got two'),
    )
    expect(second.stdout).not.toContain('got one')
    expect(await call({ handle, action: 'stop' })).toMatchObject({ running: false, ended: 'cancelled' })
    expect([workspace.read('.git/config'), workspace.read('.vscode/settings.json')]).toEqual([config, '{}'])
    const outcomes = [
      (await kit.run('run', { handle, action: 'write', input: 'x' })).outcome,
      (await kit.run('run', { handle: 'nonesuch' })).outcome,
      (await kit.run('run', { command: 'sleep 1', background: true }, { dryRun: true })).outcome,
    ]
    expect(outcomes.map(outcome => (outcome.ok ? 'ok' : outcome.error.code))).toEqual([
      'unavailable',
      'not_found',
      'unavailable',
    ])
    for (const outcome of outcomes) expect(outcome).toMatchObject({ error: { hint: expect.stringMatching(/\w/) } })
  })

  it('end with the toolkit, and no more run than may', async () => {
    await using workspace = repository()
    const kit = await workspace.open({ permissions: ['exec'], approve: fakePerson('yes') })
    const start = () => kit.run('run', { command: 'sleep 63.1', background: true })
    const outcomes = []
    for (let count = 0; count < 17; count++) outcomes.push((await start()).outcome)
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(16)
    expect(outcomes.at(-1)).toMatchObject({ ok: false, error: { code: 'quota' } })
    await kit.close()
    expect(await noneLeft('63.1')).toEqual([])
  })

  it('are asked every time, unless the whole workspace was permitted by name', async () => {
    await using workspace = repository()
    const input = { command: 'sleep 64.2', background: true }
    const alone = await workspace.open({ permissions: ['exec', 'fs:write', 'fs:write:src/**'] })
    expect((await alone.run('run', input)).outcome).toMatchObject({
      ok: false,
      error: { code: 'rejected', message: expect.stringContaining('the whole workspace may be written') },
    })
    const named = await workspace.open({ permissions: ['exec', 'fs:write:**'] })
    expect((await named.run('run', input)).outcome).toMatchObject({ ok: true, data: { running: true } })
    mkdirSync(join(workspace.base, 'config'))
    const rules = [{ action: 'write', path: '**', verdict: 'allow' }]
    writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ policy: { rules } }))
    const ruled = await workspace.open({ permissions: ['exec'] })
    expect((await ruled.run('run', input)).outcome).toMatchObject({ ok: true, data: { running: true } })
    for (const kit of [named, ruled]) await kit.close()
    expect(await noneLeft('64.2')).toEqual([])
  })

  it('are refused if a rule hides files, without asking first', async () => {
    await using workspace = repository({ '.env': 'KEY=1\n' })
    workspace.write('toolwright.json', '{"policy":{"rules":[{"action":"read","path":"**/.env*","verdict":"deny"}]}}')
    const person = fakePerson('yes')
    const kit = await workspace.open({ permissions: ['exec', 'fs:write:**'], approve: person })
    expect((await kit.run('run', { command: 'sleep 64.3', background: true })).outcome).toMatchObject({
      ok: false,
      error: { code: 'denied', message: expect.stringContaining('hides files') },
    })
    expect(person.asked).toEqual([])
  })

  it('are refused where there is no repository to keep from them, for they could make one', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ permissions: ['exec'], approve: fakePerson('yes') })
    expect((await kit.run('run', { command: 'git init', background: true })).outcome).toMatchObject({
      ok: false,
      error: { code: 'unavailable', hint: expect.stringContaining('git init') },
    })
    expect(readdirSync(workspace.path)).toEqual([])
  })

  it('leave nothing that git would follow, no pipe and no set-id bit, and it is said', async () => {
    await using workspace = repository({ 'sub/x': 'x', 'there/.git/config': 'old' })
    const kit = await workspace.open({ permissions: ['exec'], approve: fakePerson('yes') })
    const line = [
      'git init -q sub; git -C sub config core.fsmonitor evil; echo evil >> there/.git/config',
      'mkdir -p bare/objects bare/refs; echo "ref: refs/heads/main" > bare/HEAD; echo "[core]" > bare/config',
      'mkfifo pipe; echo made; sleep 30',
    ].join('; ')
    const { outcome } = await kit.run('run', { command: line, background: true })
    const { handle } = Object(outcome.ok && outcome.data)
    await until(
      async () => Object((await kit.run('run', { handle, action: 'read' })).outcome).data,
      ({ stdout }) => stdout.includes('made'),
    )
    // The sandbox lets no command set the bit where it knows the system calls; somewhere else it may not.
    workspace.write('tool', 'x')
    chmodSync(join(workspace.path, 'tool'), 0o6755)
    const { outcome: stopped } = await kit.run('run', { handle, action: 'stop' })
    expect(stopped).toMatchObject({ ok: true, data: { running: false } })
    const said = stopped.meta.warnings?.join('\n') ?? ''
    for (const path of ["'sub/.git'", "'bare/HEAD'", "'pipe'", "'tool'"]) expect(said).toContain(path)
    expect(workspace.read('there/.git/config')).toBe('old')
    expect([readdirSync(join(workspace.path, 'sub')), readdirSync(join(workspace.path, 'bare'))]).toEqual([
      [expect.stringMatching(/^\.git\.kept-/), 'x'],
      [expect.stringMatching(/^HEAD\.kept-/), 'config', 'objects', 'refs'],
    ])
    expect(readdirSync(workspace.path)).not.toContain('pipe')
    expect(lstatSync(join(workspace.path, 'tool')).mode & 0o7777).toBe(0o755)
    expect((await kit.run('run', { handle })).outcome.meta.warnings?.join('\n')).toBe(said)
  })

  it('run in a terminal on request', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ permissions: ['exec'] })
    const { outcome } = await kit.run('run', { command: 'test -t 1 && stty size', terminal: true })
    expect(outcome).toMatchObject({ ok: true, data: { exitCode: 0, stdout: '40 120\r\n' } })
  })
})

async function until<T>(look: () => Promise<T>, isThere: (found: T) => boolean): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const found = await look()
    if (isThere(found) || attempt > 200) return found
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
