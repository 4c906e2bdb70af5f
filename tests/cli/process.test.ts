import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'

const root = join(import.meta.dirname, '../..')
const { bin, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The command as it is published; `npm test` builds it before. */
const CLI = join(root, bin.toolwright)

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n' })
})
afterEach(() => workspace.remove())

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function start(command: string, args: readonly string[]) {
  const child = spawn(command, args, { cwd: workspace.path, env: { ...workspace.env, USER: 'ada', TERM: 'xterm' } })
  let [out, err] = ['', '']
  child.stdout.on('data', chunk => (out += chunk))
  child.stderr.on('data', chunk => (err += chunk))
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', code => resolve({ code, out, err }))
  })
  return { child, ended, out: () => out }
}

function toolwright(args: readonly string[], input = ''): Promise<Ended> {
  const { child, ended } = start(process.execPath, [CLI, ...args])
  child.stdin.end(input)
  return ended
}
const call = (tool: string, input: object, ...options: readonly string[]) =>
  toolwright(['call', tool, JSON.stringify(input), '--json', ...options])

/** The same at a real terminal, where `keys` are typed once a question is there. */
async function atTerminal(args: readonly string[], keys: string): Promise<Ended> {
  const line = [process.execPath, CLI, ...args].map(word => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  const { child, ended, out } = start('script', ['-qec', line, '/dev/null'])
  while (!out().includes('(y/n/always):') && child.exitCode === null) await pause(10)
  child.stdin.write(keys)
  try {
    return await ended
  } finally {
    child.stdin.end()
  }
}

describe('the published command', () => {
  it('calls a tool, and says its version', async () => {
    const { code, out, err } = await call('read', { path: 'a.txt', from: 2, to: 2 })
    expect([code, JSON.parse(out).data.content, err]).toEqual([0, 'two\n', ''])
    expect((await toolwright(['--version'])).out).toBe(`${version}\n`)
  })

  it('does not ask if standard input is not a terminal', async () => {
    const { code, out } = await toolwright(['call', 'delete', '{"path":"a.txt"}'], 'y\ny\n')
    expect([code, out]).toEqual([3, expect.stringContaining('no one can be asked here (non-interactive)')])
    expect(readdirSync(workspace.path)).toEqual(['a.txt'])
  })

  it('ends quietly when its reader stops', async () => {
    const line = `'${process.execPath}' '${CLI}' tools --format json | head -c 1`
    const { out, err } = await start('/bin/sh', ['-c', line]).ended
    expect([out, err]).toEqual(['[', ''])
  })

  it('shows what happens as it happens with log --tail', async () => {
    const tail = start(process.execPath, [CLI, 'log', '--tail', '--json'])
    try {
      await call('read', { path: 'a.txt' })
      for (let waited = 0; waited < 200 && !tail.out().includes('\n'); waited++) await pause(50)
      await call('read', { path: 'nope' })
      for (let waited = 0; waited < 200 && tail.out().split('\n').length < 3; waited++) await pause(50)
    } finally {
      tail.child.kill()
    }
    const records = tail
      .out()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(records).toMatchObject([
      { seq: 1, ok: true },
      { seq: 2, ok: false, code: 'not_found' },
    ])
    await tail.ended
  })
})

describe('several processes at once', () => {
  const SIX = ['one', 'two', 'three', 'four', 'five', 'six']

  it('lose nothing of each other: what says ok is there, what is not there says conflict', async () => {
    const ended = await Promise.all(
      SIX.map(word => call('edit', { path: 'a.txt', edits: [{ old: `${word}\n`, new: `${word}!\n` }] }, '--yes')),
    )
    const results = ended.map(({ out }) => JSON.parse(out))
    const lines = workspace.read('a.txt').split('\n')
    SIX.forEach((word, at) => {
      const { ok, error } = results[at]
      expect([word, lines[at]]).toEqual([word, ok ? `${word}!` : word])
      if (!ok) expect(error).toMatchObject({ code: 'conflict' })
    })
    expect(results.some(({ ok }) => ok)).toBe(true)
    const records = (await toolwright(['log', '--json'])).out.trim().split('\n')
    expect(records.filter(line => JSON.parse(line).type === 'call')).toHaveLength(6)
    const verified = await toolwright(['log', 'verify'])
    expect(verified.out).toContain(`${records.length} records, whole`)
    expect(verified.out).not.toContain('began')
  })

  it('stage into one transaction together', async () => {
    const staged = await Promise.all(
      SIX.map(word => call('write', { path: `new/${word}`, content: word, expect: 'absent' }, '--transaction', 'T')),
    )
    expect(staged.map(({ code }) => code)).toEqual(SIX.map(() => 0))
    expect(readdirSync(workspace.path)).toEqual(['a.txt'])
    expect((await call('stage', { action: 'commit' }, '--transaction', 'T', '--yes')).code).toBe(0)
    expect(readdirSync(join(workspace.path, 'new')).toSorted()).toEqual(SIX.toSorted())
  })

  it('share one budget to the last call', async () => {
    workspace.write('../config/config.json', JSON.stringify({ budgets: [{ tool: 'toolwright/read', calls: 2 }] }))
    const ended = await Promise.all(SIX.map(() => call('read', { path: 'a.txt' }, '--component', 'C')))
    const codes = ended.map(({ out }) => JSON.parse(out)).map(({ ok, error }) => (ok ? 'ok' : error.code))
    expect(codes.toSorted()).toEqual([...Array.from({ length: 4 }, () => 'budget_exceeded'), 'ok', 'ok'])
  })
})

describe('at a real terminal', () => {
  const remove = ['call', 'delete', '{"path":"a.txt"}']

  it('asks, and does what was approved', async () => {
    const { code, out } = await atTerminal(remove, 'y\r')
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/Could happen: deletes a\.txt[^]*-one[^]*Approve\? \(y\/n\/always\):[^]*✓/),
    ])
    expect(readdirSync(workspace.path)).toEqual([])
  })

  it.each([
    ['a no', 'n\r'],
    ['an interrupt', '\x03'],
    ['the end of input', '\x04'],
  ])('takes %s for a no', async (_what, keys) => {
    const { code, out } = await atTerminal(remove, keys)
    expect([code, out]).toEqual([3, expect.stringContaining('was not approved')])
    expect(out).not.toMatch(/Warning|unsettled|at .*\.js:/)
    expect(readdirSync(workspace.path)).toEqual(['a.txt'])
  })
})
