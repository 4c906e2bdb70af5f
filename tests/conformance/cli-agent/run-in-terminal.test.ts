// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../../needs.ts'
import { failure, success, TIME, useAgent } from './rig.ts'

const it = needs('bubblewrap')
const agent = useAgent({ 'a.txt': 'one\ntwo\n', 'src/b.txt': 'b\n' })
const EXEC = { permissions: ['exec', 'fs:write'] }
const run = (command: string, more: object = {}) => agent.call('run_in_terminal', { command, ...more }, EXEC)
const counts = (exit_code: number, stdout_lines: number, stderr_lines: number) => ({
  exit_code,
  stdout_lines,
  stderr_lines,
})
/** The whole answer to a command that ended with another code than 0. */
const failed = (code: string, message: string, metadata: object, files: readonly string[] = [], more = '') => ({
  success: false,
  output: `Error: ${message}${more}`,
  files_affected: files,
  execution_time_ms: TIME,
  metadata,
  error: { code, message, suggestion: expect.stringMatching(/\w/) },
})

describe('run_in_terminal', () => {
  it('CA-10, CA-02: runs a command and answers as printed', async () => {
    expect(await run('cat a.txt; echo three; echo four; echo five')).toStrictEqual(
      success('Command output:\none\ntwo\nthree\nfour\nfive\n', [], counts(0, 5, 0)),
    )
  })

  it('CA-10: in the working directory of the session, by the shell', async () => {
    expect(await run('pwd; X=$(ls | head -1) && echo "$X" | tr a-z A-Z')).toStrictEqual(
      success(`Command output:\n${agent.workspace.path}\nA.TXT\n`, [], counts(0, 2, 0)),
    )
  })

  it("CA-10: bash reads the line whatever the user's shell is, and metadata says so where it is another", async () => {
    const metadata = async (shell: string, command: string) => {
      Object.assign(agent.workspace.env, { SHELL: shell })
      return Object(await run(command)).metadata
    }
    expect(await metadata('/usr/bin/fish', 'cat <(echo hi)')).toStrictEqual({ ...counts(0, 1, 0), shell: 'bash' })
    expect(await metadata('/bin/zsh', 'exit 3')).toStrictEqual({
      ...counts(3, 0, 0),
      shell: 'bash',
    })
    expect(await metadata('/usr/local/bin/bash', 'true')).toStrictEqual(counts(0, 0, 0))
  })

  it('CA-10: a command that is not found, in the printed words', async () => {
    expect(await run('invalid_cmd --now')).toStrictEqual(
      failed('command_not_found', "Command 'invalid_cmd' not found", counts(127, 0, 1)),
    )
    expect(await run('echo out; echo err >&2; invalid_cmd')).toMatchObject({
      output: expect.stringMatching(
        /^Error: Command 'invalid_cmd' not found\nStandard output:\nout\nStandard error:\nerr\n.*not found\n$/,
      ),
      error: { code: 'command_not_found', message: "Command 'invalid_cmd' not found" },
    })
  })

  it('CA-10: a timeout, in the printed words', async () => {
    expect(await run('sleep 30', { timeout_seconds: 1 })).toStrictEqual({
      ...failure('timeout', 'Command timed out after 1 seconds', /timeout_seconds.*changes to files were dropped/),
      metadata: counts(137, 0, 0),
    })
  })

  it('CA-10, SG-17: what was printed before a timeout, a quota or a refusal is in the answer', async () => {
    expect(await run('echo out; echo why >&2; echo x > a.txt; sleep 30', { timeout_seconds: 1 })).toMatchObject({
      output: 'Error: Command timed out after 1 seconds\nCommand output:\nout\nStandard error:\nwhy\n',
      metadata: { stdout_lines: 1, stderr_lines: 1 },
      error: { code: 'timeout', message: 'Command timed out after 1 seconds' },
    })
    expect(agent.workspace.read('a.txt')).toBe('one\ntwo\n')
    const rules = [{ action: 'write', path: 'a.txt', verdict: 'deny' }]
    const config = join(agent.workspace.base, 'own.json')
    writeFileSync(config, JSON.stringify({ policy: { rules } }))
    expect(
      await agent.call('run_in_terminal', { command: 'echo out; echo x > a.txt' }, { ...EXEC, config }),
    ).toMatchObject({
      output: expect.stringMatching(/^Error: None of the command's changes were kept: [^]*\nCommand output:\nout\n$/),
      metadata: counts(0, 1, 0),
      error: { code: 'permission_denied', message: expect.not.stringContaining('Command output') },
    })
  })

  it('CA-10, SG-17: a flood ends at the quota, with the lines counted that are not kept', async () => {
    const config = join(agent.workspace.base, 'own.json')
    writeFileSync(config, JSON.stringify({ limits: { commands: { outputBytes: 4 * 1024 ** 2 } } }))
    expect(await agent.call('run_in_terminal', { command: 'yes' }, { ...EXEC, config })).toMatchObject({
      output: expect.stringMatching(/^Error: The command was ended: it printed more than .*\nCommand output:\ny\ny\n/),
      metadata: { stdout_lines: expect.toSatisfy((lines: number) => lines > 2_000_000) },
      error: { code: 'quota_exceeded', suggestion: expect.stringMatching(/print less.*dropped/) },
    })
    expect(await run('seq 400000')).toMatchObject({ metadata: counts(0, 400_000, 0) })
  })

  it('CA-10: says that changes were lost', async () => {
    expect(await run('git init -q inner; echo done')).toMatchObject({
      success: true,
      output: expect.stringMatching(/^Command output:\ndone\nWarning: .*inner/),
    })
  })

  it('CA-10: another exit code, in the printed words, with what was printed', async () => {
    expect(await run('echo out; echo why >&2; exit 1')).toStrictEqual(
      failed(
        'command_failed',
        'Command failed with exit code 1:\nwhy\n',
        counts(1, 1, 1),
        [],
        'Standard output:\nout\n',
      ),
    )
    expect(await run('echo out; exit 7')).toStrictEqual(
      failed('command_failed', 'Command failed with exit code 7:\nout\n', counts(7, 1, 0)),
    )
  })

  it('CA-10: names the files that it changed, also where it failed', async () => {
    expect(await run('echo new > src/c.txt; rm a.txt')).toStrictEqual(
      success('Command output:\n\n', ['a.txt', 'src/c.txt'], counts(0, 0, 0)),
    )
    expect(agent.workspace.read('src/c.txt')).toBe('new\n')
    expect(await run('echo x > d.txt; false')).toStrictEqual(
      failed('command_failed', 'Command failed with exit code 1:\n', counts(1, 0, 0), ['d.txt']),
    )
  })

  it('CA-10: nothing outside of the workspace is changed, however it is spelled', async () => {
    for (const path of ['../planted.txt', join(agent.workspace.base, 'planted.txt'), 'src/../../planted.txt'])
      expect(await run(`echo x > ${path}`)).toMatchObject({ files_affected: [] })
    // Around the workspace lies a file system of the command's own, which goes with it.
    expect(existsSync(join(agent.workspace.base, 'planted.txt'))).toBe(false)
  })

  it.each([
    [{}, /Missing parameter 'command'/],
    [{ command: '' }, /Parameter 'command': command must not be empty/],
    [{ command: ' \n' }, /Parameter 'command': command must not be empty/],
    [{ command: ['ls'] }, /Parameter 'command'.*expected string, received array/],
    [{ command: 'ls', timeout_seconds: 0 }, /Parameter 'timeout_seconds': Too small/],
    [{ command: 'ls', timeout_seconds: 301 }, /Parameter 'timeout_seconds': Too big/],
    [{ command: 'ls', timeout_seconds: 2.5 }, /Parameter 'timeout_seconds'.*expected int/],
    [{ command: 'ls', timeout_seconds: '5' }, /Parameter 'timeout_seconds'.*expected number, received string/],
    [{ command: 'ls', cwd: 'src' }, /Unknown parameter 'cwd'/],
  ])('CA-10, CA-03: names what is wrong with %j', async (input, message) => {
    expect(await agent.fails('run_in_terminal', input, EXEC)).toMatchObject({
      output: expect.stringMatching(message),
      error: { code: 'invalid_parameters', suggestion: 'Parameters of run_in_terminal: command, timeout_seconds?' },
    })
  })

  it('CA-18: no output, output without an end, and standard error beside it', async () => {
    expect(await run('true')).toStrictEqual(success('Command output:\n\n', [], counts(0, 0, 0)))
    expect(await run('printf "no end"')).toStrictEqual(success('Command output:\nno end\n', [], counts(0, 1, 0)))
    expect(await run('echo a; printf b >&2')).toStrictEqual(
      success('Command output:\na\nStandard error:\nb\n', [], counts(0, 1, 1)),
    )
  })

  it('CA-18: special characters in the line and in what is printed', async () => {
    expect(await run(`printf '%s\\n' 'žluť 🐎' "quo'te" '$HOME' 'back\\slash' 'C:\\dir'`)).toStrictEqual(
      success("Command output:\nžluť 🐎\nquo'te\n$HOME\nback\\slash\nC:\\dir\n", [], counts(0, 5, 0)),
    )
    expect(await run(`printf 'a\\xffb\\n'`)).toMatchObject({
      output: expect.stringMatching(/^Command output:\na\uFFFDb\nWarning: .*its bytes are in ref:\w+$/),
    })
  })

  it('CA-18: a Windows spelling of a path is a name that is not there', async () => {
    expect(await run('cat src\\\\b.txt')).toMatchObject({
      output: expect.stringMatching(/^Error: Command failed with exit code 1:\n.*src.*b\.txt.*No such file/),
      error: { code: 'command_failed' },
    })
  })

  it('CA-10: needs a person or a permission, and a person sees the command', async () => {
    expect(await agent.fails('run_in_terminal', { command: 'rm -rf src' }, { permissions: [] })).toMatchObject({
      error: { code: 'not_approved', suggestion: expect.stringContaining('exec') },
    })
    const asked: string[] = []
    const approve = ({ card }: { card: { input: unknown; risk: string } }) => {
      asked.push(`${card.risk} ${JSON.stringify(card.input)}`)
      return { answer: 'no' as const, by: 'test' }
    }
    await agent.fails('run_in_terminal', { command: 'rm -rf src' }, { permissions: [], approve })
    expect(asked).toEqual(['dangerous {"command":"rm -rf src","timeout_seconds":30}'])
  })
})
