// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { useCli } from '../../cli/rig.ts'
import { needs } from '../../needs.ts'
import { failure, success, timeless, useAgent } from './rig.ts'

const it = needs('bubblewrap')
const cli = useCli({ 'b.txt': 'two\n' })
const agent = useAgent({ 'a.txt': 'one\n' })
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const facts = (command: string, exit_code: number) => ({
  command,
  exit_code,
  executed_at: expect.stringMatching(ISO),
})
const NONE = failure('no_command_history', 'No previous command in this session', /run_in_terminal/)

/** A session that has run these commands. */
async function after(...commands: readonly string[]) {
  const kit = await agent.open({ permissions: ['exec', 'fs:read', 'fs:write'] })
  for (const command of commands) await kit.call('run_in_terminal', { command, timeout_seconds: 5 })
  return { kit, last: async (input: unknown = {}) => timeless(await kit.call('terminal_last_command', input)) }
}

describe('terminal_last_command', () => {
  it('CA-11, CA-02: tells the last command and answers as printed', async () => {
    const { last } = await after('cat a.txt')
    expect(await last()).toStrictEqual(success('Last command: cat a.txt\nOutput: one\n', [], facts('cat a.txt', 0)))
  })

  it('CA-11: an error without one, in the printed words', async () => {
    const { last } = await after()
    expect(await last()).toStrictEqual(NONE)
  })

  it('CA-11: the newest of several', async () => {
    const { last } = await after('echo 1', 'echo 2', 'echo 3')
    expect(await last()).toMatchObject({ output: 'Last command: echo 3\nOutput: 3\n' })
  })

  it('CA-11: a failed command with its exit code', async () => {
    const { last } = await after('echo out; echo why >&2; exit 3')
    expect(await last()).toStrictEqual(
      success(
        'Last command: echo out; echo why >&2; exit 3\nOutput: out\nwhy\n',
        [],
        facts('echo out; echo why >&2; exit 3', 3),
      ),
    )
  })

  it('CA-11: a command that was not found', async () => {
    const { last } = await after('invalid_cmd')
    expect(await last()).toMatchObject({ success: true, metadata: facts('invalid_cmd', 127) })
  })

  it('CA-11: what was refused was no command', async () => {
    const kit = await agent.open({ permissions: [] })
    await kit.call('run_in_terminal', { command: 'echo no' })
    await kit.call('run_in_terminal', { command: '' })
    expect(timeless(await kit.call('terminal_last_command', {}))).toStrictEqual(NONE)
  })

  it('CA-11: other calls in between do not count', async () => {
    const { kit, last } = await after('echo first')
    await kit.call('read_file', { path: 'a.txt' })
    await kit.call('create_file', { path: 'b.txt', content: '' })
    await kit.call('terminal_last_command', {})
    expect(await last()).toMatchObject({ metadata: facts('echo first', 0) })
  })

  it('CA-11: another session has its own', async () => {
    await after('echo mine')
    const { last } = await after()
    expect(await last()).toStrictEqual(NONE)
  })

  it('CA-11: single calls on the command line are one session, invisible to others', async () => {
    const call = async (tool: string, input: object) => {
      const args = ['call', tool, JSON.stringify(input), '--contract', 'cli-agent', '--allow', 'exec', '--json']
      return timeless(JSON.parse((await cli.run(args)).out))
    }
    const none = { tool: 'terminal_last_command', ...NONE }
    expect(await call('terminal_last_command', {})).toStrictEqual(none)
    await call('run_in_terminal', { command: 'cat b.txt' })
    expect(await call('terminal_last_command', {})).toMatchObject({
      output: 'Last command: cat b.txt\nOutput: two\n',
      metadata: facts('cat b.txt', 0),
    })
    const input = '{"tool":"terminal_last_command","input":{}}'
    const { out } = await cli.run(['call', '--jsonl', '--contract', 'cli-agent'], { input })
    expect(timeless(JSON.parse(out))).toStrictEqual(none)
    const kit = await cli.workspace.open({ contract: 'cli-agent', permissions: ['exec'] })
    expect(timeless(await kit.call('terminal_last_command', {}))).toStrictEqual(NONE)
    await kit.call('run_in_terminal', { command: 'echo of a connection' })
    expect(timeless(await kit.session().call('terminal_last_command', {}))).toStrictEqual(NONE)
    expect(await call('terminal_last_command', {})).toMatchObject({ metadata: facts('cat b.txt', 0) })
  })

  it('CA-11: a command that was ended for its time is the last one too', async () => {
    const { kit, last } = await after('echo before')
    await kit.call('run_in_terminal', { command: 'echo begun; sleep 30', timeout_seconds: 3 })
    expect(await last()).toMatchObject({
      output: 'Last command: echo begun; sleep 30\nOutput: begun\n',
      metadata: facts('echo begun; sleep 30', 137),
    })
  })

  it.each([[{ count: 2 }], [null], ['last'], [[]]])('CA-11, CA-03: takes no parameters, not %j', async input => {
    const { last } = await after()
    expect(await last(input)).toMatchObject({
      success: false,
      error: { code: 'invalid_parameters', suggestion: 'terminal_last_command takes no parameters' },
    })
  })

  it('CA-18: no output, and special characters', async () => {
    const { last } = await after('true')
    expect(await last()).toStrictEqual(success('Last command: true\nOutput: ', [], facts('true', 0)))
    const line = `printf '%s' 'žluť 🐎 "$HOME" C:\\dir'`
    const odd = await after(line)
    expect(await odd.last()).toStrictEqual(
      success(`Last command: ${line}\nOutput: žluť 🐎 "$HOME" C:\\dir`, [], facts(line, 0)),
    )
  })

  it('CA-18: large output is kept', async () => {
    const { last } = await after('seq 1 2000')
    const { output } = Object(await last())
    expect(output.startsWith('Last command: seq 1 2000\nOutput: 1\n2\n')).toBe(true)
  })

  it('CA-11: needs no permission', async () => {
    const kit = await agent.open({ permissions: [], permissionsOnly: true })
    expect(timeless(await kit.call('terminal_last_command', {}))).toStrictEqual(NONE)
  })
})
