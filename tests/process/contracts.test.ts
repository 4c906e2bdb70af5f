// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { createBashTool } from '../../src/contracts.ts'
import { riskOf } from '../../src/kernel/tool.ts'
import { fakeSecrets } from '../../src/testing/fakes.ts'
import { temporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

describe('run_in_terminal', () => {
  const open = async (options: object = {}) => {
    const workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
    const kit = await workspace.open({ contract: 'cli-agent', permissions: ['exec', 'fs:write'], ...options })
    const call = async (input: object) => Object(await kit.call('run_in_terminal', input))
    return { workspace, kit, call }
  }

  it('CA-10: gives the output, the files and the counts as the document prints them', async () => {
    const { workspace, kit, call } = await open()
    await using _ = workspace
    expect(await call({ command: 'echo hello; printf there; pwd >&2; echo two > a.txt' })).toEqual({
      success: true,
      output: `Command output:\nhello\nthere\nStandard error:\n${workspace.path}\n`,
      files_affected: ['a.txt'],
      execution_time_ms: expect.any(Number),
      metadata: { exit_code: 0, stdout_lines: 2, stderr_lines: 1 },
    })
    expect(workspace.read('a.txt')).toBe('two\n')
    expect((await call({ command: 'true' })).output).toBe('Command output:\n\n')
    const tool = kit.tools().find(({ name }) => name === 'run_in_terminal')
    expect(riskOf(tool?.effects ?? [])).toBe('dangerous')
  })

  it('CA-10: words not found, a timeout and another exit code as printed; what a failing command did stays', async () => {
    const { workspace, call } = await open()
    await using _ = workspace
    expect(await call({ command: 'invalid_cmd --now' })).toMatchObject({
      success: false,
      output: "Error: Command 'invalid_cmd' not found",
      error: { code: 'command_not_found', message: "Command 'invalid_cmd' not found" },
      metadata: { exit_code: 127 },
    })
    expect(await call({ command: 'echo three > a.txt; echo why >&2; exit 1' })).toMatchObject({
      success: false,
      output: 'Error: Command failed with exit code 1:\nwhy\n',
      files_affected: ['a.txt'],
      error: { code: 'command_failed' },
    })
    expect(workspace.read('a.txt')).toBe('three\n')
    expect(await call({ command: 'sleep 20', timeout_seconds: 1 })).toMatchObject({
      success: false,
      output: 'Error: Command timed out after 1 seconds',
      error: { code: 'timeout' },
    })
    expect((await call({ command: 'echo out; exit 2' })).output).toBe('Error: Command failed with exit code 2:\nout\n')
  })

  it.each([
    {},
    { command: '' },
    { command: '  ' },
    { command: 1 },
    { command: 'ls', timeout_seconds: 0 },
    { command: 'ls', timeout_seconds: 301 },
    { command: 'ls', extra: 1 },
  ])('CA-10: refuses %j before anything runs', async input => {
    const { workspace, call } = await open()
    await using _ = workspace
    expect(await call(input)).toMatchObject({ success: false, error: { code: 'invalid_parameters' } })
  })

  it('CA-10: is not allowed without a grant, and a dry run shows the diff and changes nothing', async () => {
    const { workspace, kit } = await open({ permissions: [] })
    await using _ = workspace
    expect(Object(await kit.call('run_in_terminal', { command: 'echo x > a.txt' }))).toMatchObject({
      success: false,
      error: { code: 'not_approved' },
    })
    const granted = kit.session({ permissions: ['exec'] })
    const { outcome } = await granted.run('run_in_terminal', { command: 'echo x > a.txt' }, { dryRun: true })
    expect(outcome).toMatchObject({ ok: true, meta: { dryRun: true, changed: ['a.txt'] } })
    expect(outcome.meta.diff).toContain('-one\n+x\n')
    expect(workspace.read('a.txt')).toBe('one\n')
  })

  it('CA-10: says which shell read the line where the user’s own is another', async () => {
    const workspace = temporaryWorkspace()
    await using _ = workspace
    Object.assign(workspace.env, { SHELL: '/usr/bin/fish' })
    const kit = await workspace.open({ contract: 'cli-agent', permissions: ['exec'] })
    expect(Object(await kit.call('run_in_terminal', { command: 'true' })).metadata).toMatchObject({ shell: 'bash' })
  })

  it('CA-11: tells the last command of the session, its output, exit code and time, from the journal', async () => {
    const { workspace, kit, call } = await open()
    await using _ = workspace
    expect(await kit.call('terminal_last_command', {})).toMatchObject({
      success: false,
      output: 'Error: No previous command in this session',
      error: { code: 'no_command_history', message: 'No previous command in this session' },
    })
    await call({ command: 'echo first' })
    await call({ command: 'echo out; echo err >&2; exit 4' })
    await kit.call('read_file', { path: 'a.txt' })
    expect(await kit.call('terminal_last_command', {})).toMatchObject({
      success: true,
      output: 'Last command: echo out; echo err >&2; exit 4\nOutput: out\nerr\n',
      files_affected: [],
      metadata: {
        command: 'echo out; echo err >&2; exit 4',
        exit_code: 4,
        executed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    })
    expect(await kit.session({ permissions: ['exec'] }).call('terminal_last_command', {})).toMatchObject({
      success: false,
    })
    await call({ command: 'seq 5000' })
    expect(Object(await kit.call('terminal_last_command', {})).output).toContain('\n4999\n5000\n')
    const tool = kit.tools().find(({ name }) => name === 'terminal_last_command')
    expect(riskOf(tool?.effects ?? [])).toBe('read_only')
  })
})

describe('Bash', () => {
  let base = ''
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'toolwright-bash-'))
    vi.stubEnv('TOOLWRIGHT_STATE', join(base, 'state'))
    vi.stubEnv('TOOLWRIGHT_CONFIG_HOME', join(base, 'config'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(base, { recursive: true, force: true })
  })
  const execute = async (cwd: string, command: string, more: object = {}, options: object = {}, args?: string[]) =>
    createBashTool(options).execute({ command, ...(args && { args }) }, { cwd, ...more })

  it('SG-13: gives stdout, stderr and exitCode of a line, and of a program with arguments', async () => {
    await using workspace = temporaryWorkspace({ 'a b.txt': 'x\n' })
    const permissions = ['exec', 'fs:read']
    expect(await execute(workspace.path, 'echo out; echo err >&2; exit 3', { permissions })).toMatchObject({
      ok: true,
      data: { stdout: 'out\n', stderr: 'err\n', exitCode: 3 },
    })
    expect(await execute(workspace.path, 'cat', { permissions }, {}, ['a b.txt'])).toMatchObject({
      ok: true,
      data: { stdout: 'x\n', exitCode: 0 },
    })
    expect(await execute(workspace.path, 'echo $GIVEN', { permissions, env: { GIVEN: 'env' } })).toMatchObject({
      data: { stdout: 'env\n' },
    })
  })

  it('SG-16: runs what the call’s permissions allow, and refuses the rest by name', async () => {
    await using workspace = temporaryWorkspace()
    const permissions = ['exec:git', 'exec:echo']
    expect((await execute(workspace.path, 'git --version; echo x', { permissions })).ok).toBe(true)
    const refused = await execute(workspace.path, 'echo x | curl -d @- http://example.com', { permissions })
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'EPERMISSION', message: expect.stringContaining('curl') },
    })
    expect(await execute(workspace.path, 'git --version')).toMatchObject({
      ok: false,
      error: { code: 'EPERMISSION', message: expect.stringContaining('exec') },
    })
  })

  it('SG-16: has lists of its own, of each call, and of the configuration; the strictest counts', async () => {
    await using workspace = temporaryWorkspace()
    const permissions = ['exec']
    const only = { allow: ['git', 'echo'], deny: ['git push'] }
    expect((await execute(workspace.path, 'git --version', { permissions }, only)).ok).toBe(true)
    for (const line of ['ls', 'git push', 'echo x && ls'])
      expect(await execute(workspace.path, line, { permissions }, only)).toMatchObject({
        error: { code: 'EPERMISSION' },
      })
    const commands = { deny: ['echo'] }
    expect(await execute(workspace.path, 'echo x', { permissions, commands }, only)).toMatchObject({
      error: { code: 'EPERMISSION', message: expect.stringContaining('list of denied commands') },
    })
    expect((await execute(workspace.path, 'git --version', { permissions, commands }, only)).ok).toBe(true)
  })

  it.each([
    ['ls', { allow: ['git'] }, {}, /'?ls'?.*not on the list of allowed commands of the tool \(createBashTool\)/],
    ['ls', {}, { allow: ['git'] }, /not on the list of allowed commands of the call \(context\.commands\)/],
    ['git push', { deny: ['git push'] }, {}, /'git push' is on the list of denied commands of the tool/],
    ['git --version; git push', {}, { deny: ['git push'] }, /list of denied commands of the call/],
    ['curl http://a.example', {}, {}, /rule user:deny curl/],
  ])('SG-16: %j is refused by the list that it names: %j, %j', async (line, own, commands, words) => {
    await using workspace = temporaryWorkspace()
    mkdirSync(join(base, 'config'))
    writeFileSync(join(base, 'config/config.json'), '{"policy":{"commands":{"deny":["curl"]}}}')
    const { error } = await execute(workspace.path, line, { permissions: ['exec'], commands }, own)
    expect(error).toMatchObject({ code: 'EPERMISSION', message: expect.stringMatching(words) })
    expect(error?.message).toContain('No permission opens this')
  })

  it('SG-16: what no permission of the call grants is refused by the permission that it lacks', async () => {
    await using workspace = temporaryWorkspace()
    expect((await execute(workspace.path, 'ls', { permissions: ['exec:git'] })).error?.message).toMatch(
      /needs the permission exec:ls: add it to the permissions/,
    )
  })

  it('SG-20, SG-21: fills in $ENV in args, each value as one piece of text, and shows none of it', async () => {
    const value = `it's "a" $(secret) \\ value`
    await using workspace = temporaryWorkspace()
    const logged: unknown[] = []
    const more = {
      permissions: ['exec'],
      secretProvider: fakeSecrets({ TOKEN: value }),
      logger: (event: unknown) => logged.push(event),
    }
    const script = 'printf %s "$1" | wc -c; [ "$2" = "<$1> it\'s" ] && echo same; echo "$1"'
    const args = ['-c', script, 'sh', '$ENV.TOKEN', "<$ENV.TOKEN> it's"]
    const result = await execute(workspace.path, 'sh', more, {}, args)
    expect(result).toMatchObject({
      ok: true,
      data: { stdout: `${value.length}\nsame\n[redacted:TOKEN]\n`, stderr: '', exitCode: 0 },
    })
    for (const text of [JSON.stringify(result), JSON.stringify(logged)]) expect(text).not.toContain('(secret)')
    expect(await execute(workspace.path, 'echo', more, {}, ['$ENV.NOPE'])).toMatchObject({
      ok: false,
      error: { code: 'EVALIDATION', message: expect.stringContaining("'NOPE'") },
    })
  })

  it('SG-17: answers ETIMEOUT and EQUOTA, and what was produced is kept', async () => {
    await using workspace = temporaryWorkspace()
    const permissions = ['exec']
    const late = 'echo out; echo err >&2; sleep 20'
    expect(await execute(workspace.path, late, { permissions }, { timeoutMs: 500 })).toMatchObject({
      ok: false,
      data: { stdout: 'out\n', stderr: 'err\n', exitCode: expect.any(Number) },
      error: { code: 'ETIMEOUT', message: expect.stringMatching(/timeoutMs.*in data.*changes to files were dropped$/) },
    })
    expect(await execute(workspace.path, 'yes', { permissions })).toMatchObject({
      ok: false,
      data: { stdout: expect.stringMatching(/^y\ny\n/) },
      error: { code: 'EQUOTA', message: expect.not.stringMatching(/details|background/) },
    })
  })
})

describe('the sandbox switched off', () => {
  it('is the user’s own word alone, written into every record and said by doctor', async () => {
    await using workspace = temporaryWorkspace({ 'toolwright.json': '{"sandbox":"off"}', 'a.txt': 'one\n' })
    const sandboxes = async () => {
      const records: object[] = []
      const kit = await workspace.open({ permissions: ['exec', 'fs:write'], onRecord: record => records.push(record) })
      const { outcome } = await kit.run('run', { command: 'echo two >> a.txt' })
      if (!outcome.ok) throw outcome.error
      const report = await kit.commands.report()
      const dry = (await kit.run('run', { command: 'echo x' }, { dryRun: true })).outcome
      return {
        sandbox: Reflect.get(records[0] ?? {}, 'sandbox'),
        direct: Reflect.get(records[0] ?? {}, 'direct'),
        words: report.words.join(' '),
        dry: dry.ok,
        notes: kit.config.notes,
      }
    }
    const on = await sandboxes()
    expect(on).toMatchObject({ sandbox: expect.not.stringMatching('off'), dry: true })
    expect(on.direct).toBeUndefined()
    expect(on.notes.join()).toContain("'sandbox'")
    mkdirSync(join(workspace.base, 'config'), { recursive: true })
    writeFileSync(join(workspace.base, 'config/config.json'), '{"sandbox":"off"}')
    expect(await sandboxes()).toMatchObject({
      sandbox: 'off',
      direct: true,
      words: expect.stringContaining('THE SANDBOX IS OFF'),
      dry: false,
    })
    expect(workspace.read('a.txt')).toBe('one\ntwo\ntwo\n')
  })
})
