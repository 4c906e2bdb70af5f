// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { readJournal } from '../../src/machine/journal/read.ts'
import { isCall } from '../../src/machine/journal/record.ts'
import { verifyJournal } from '../../src/machine/journal/verify.ts'
import { workspaceState } from '../../src/machine/state/directory.ts'
import { dispatch } from '../../src/surfaces/cli/dispatch.ts'
import { fakePerson, temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { CLI } from '../cli-program.ts'

const it = needs('bubblewrap', 'strace')
const long = process.env['TOOLWRIGHT_LONG'] === '1'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
})
afterEach(() => workspace.remove())

const env = () => ({ ...workspace.env, NO_COLOR: '1' })

/** Starts a command in a process of its own, and kills that once the command has begun. */
async function killed(command: string, signal: NodeJS.Signals, ...more: readonly string[]): Promise<void> {
  const args = [CLI, 'call', 'run', JSON.stringify({ command }), '--yes', ...more]
  const child = spawn(process.execPath, args, { cwd: workspace.path, env: env(), stdio: 'ignore' })
  const over = new Promise(resolve => child.once('exit', resolve))
  for (let waited = 0; records().length === 0 && waited < 400; waited++) await pause(50)
  // The command itself starts after its intent; without the sandbox its file shows when.
  if (more.length === 0) await pause(300)
  else for (let waited = 0; !existsSync(join(workspace.path, 'x.txt')) && waited < 400; waited++) await pause(50)
  child.kill(signal)
  await over
}

const records = () => [...readJournal(workspaceState(workspace.path, workspace.env).journal)]

async function log(...args: readonly string[]): Promise<string> {
  let text = ''
  const stdout = { write: (chunk: string) => ((text += chunk), true), isTTY: false }
  const terminal = { env: env(), cwd: workspace.path, stdin: process.stdin, stdout, stderr: stdout, version: '0' }
  await dispatch('log', args, Object(terminal))
  return text
}

const isAlive = (word: string): boolean =>
  spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .some(line => line.includes(word))

describe('a command that is running when its program is killed', () => {
  for (const [signal, said] of [
    ['SIGKILL', 'interrupted'],
    ['SIGINT', 'Stopped by .* with Ctrl-C'],
    ['SIGTERM', 'interrupted'],
  ] as const)
    it(`by ${signal} is in the log (${said}), and left nothing`, async () => {
      const seconds = `6${String(process.pid).padStart(7, '0')}`
      await killed(`echo x > x.txt; sleep ${seconds}`, signal)
      expect(await log()).toMatch(new RegExp(`✗ toolwright/run .*${said}`))
      expect(records().map(({ type }) => type)).toEqual(['intent', 'call'])
      expect(workspace.snapshot()).toEqual({ 'a.txt': expect.any(String) })
      expect(await log('verify')).toContain('2 records, whole and in order')
      for (let waited = 0; isAlive(`sleep ${seconds}`) && waited < 40; waited++) await pause(50)
      expect(isAlive(`sleep ${seconds}`)).toBe(false)
    })

  it('without the sandbox is in the log with the warning that it wrote by itself', async () => {
    const config = join(workspace.base, 'off.json')
    writeFileSync(config, JSON.stringify({ sandbox: 'off' }))
    await killed('echo x > x.txt; exec sleep 2', 'SIGKILL', '--config', config)
    expect(records()).toMatchObject([{ type: 'intent', direct: true }])
    expect(await log()).toMatch(/interrupted: .*its changes are unknown/)
    expect(workspace.read('x.txt')).toBe('x\n')
  })
})

describe('a change whose program is killed at a system call', () => {
  const usual = { fdatasync: [1, 2], renameat: [3, 5], linkat: [2], fsync: [] }
  const all = {
    fdatasync: [1, 2, 3],
    renameat: [1, 2, 3, 4, 5, 6, 7, 8],
    linkat: [1, 2],
    fsync: [1, 2, 3, 4, 5, 6, 7, 8, 9],
  }
  const points = Object.entries(long ? all : usual).flatMap(([call, times]) => times.map(when => [call, when] as const))

  for (const [call, when] of points)
    it(`(${call} ${when}) has landed as the log says at the next open`, async () => {
      const input = JSON.stringify({ path: 'a.txt', edits: [{ old: 'one', new: 'eins' }] })
      const trace = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`]
      const inject = ['-e', `inject=${call}:signal=KILL:when=${when}`]
      const args = [process.execPath, CLI, 'call', 'edit', input, '--yes', '--effects', 'off']
      spawnSync('strace', [...trace, ...inject, ...args], { cwd: workspace.path, env: env() })
      const kit = await workspace.open()
      const text = readFileSync(join(workspace.path, 'a.txt'), 'utf8')
      const ended = [...readJournal(kit.state.journal)].findLast(isCall)
      expect(['one\n', 'eins\n']).toContain(text)
      expect(ended?.changed ?? []).toEqual(text === 'one\n' ? [] : ['a.txt'])
      expect(verifyJournal(kit.state.journal, { headFile: kit.state.head })).toMatchObject({ ok: true, unfinished: [] })
      if (text === 'one\n') return
      await kit.run('undo', { id: ended?.undo }, { approve: fakePerson('yes') })
      expect(workspace.read('a.txt')).toBe('one\n')
    })
})
