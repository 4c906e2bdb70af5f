// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { snapshotOf } from '../../src/testing/index.ts'
import { useCli } from '../cli/rig.ts'
import { needs } from '../needs.ts'

const it = needs('strace')
const cli = useCli({ 'a.txt': 'one\ntwo\n' })
const CALLS = [
  { tool: 'read', input: { path: 'a.txt' } },
  { tool: 'edit', input: { path: 'a.txt', edits: [{ old: 'one', new: 'uno' }] } },
]
  .map(call => JSON.stringify(call))
  .join('\n')

describe('the machine', () => {
  it('is not touched by a replay in an empty directory without a home', async () => {
    const tape = join(cli.workspace.base, 'tape.jsonl')
    await cli.run(['call', '--jsonl', '--yes', '--record', tape], { input: CALLS })
    const empty = join(cli.workspace.base, 'empty')
    mkdirSync(empty, { mode: 0o555 })
    const before = snapshotOf(cli.workspace.base)
    const log = join(cli.workspace.base, 'strace.log')
    const main = join(import.meta.dirname, '../../src/surfaces/cli/main.ts')
    const traced = [
      '-f',
      '-qq',
      '-o',
      log,
      '-e',
      'trace=openat,open,creat,mkdir,mkdirat,rename,renameat2,unlink,unlinkat,connect,bind,execve,fork,vfork',
    ]
    const run = spawnSync('strace', [...traced, process.execPath, '--no-warnings', main, 'replay', tape], {
      cwd: empty,
      env: { PATH: process.env['PATH'] },
      encoding: 'utf8',
    })
    expect(run.stdout).toContain('2 equal')
    expect(run.status).toBe(0)
    const { 'strace.log': _log, ...after } = snapshotOf(cli.workspace.base)
    expect(after).toEqual(before)
    const calls = readFileSync(log, 'utf8').split('\n')
    const touching = calls.filter(
      call =>
        /O_CREAT|O_WRONLY|O_RDWR|\b(mkdir|rename|unlink|creat|connect|bind|v?fork)\w*\(/.test(call) &&
        !call.includes('/dev/') &&
        !call.includes('ENOENT'),
    )
    expect(touching).toEqual([])
    expect(calls.filter(call => call.includes('execve('))).toHaveLength(1)
    expect(
      calls.filter(call => call.includes(cli.workspace.path) || call.includes(join(cli.workspace.base, 'state'))),
    ).toEqual([])
  })
})
