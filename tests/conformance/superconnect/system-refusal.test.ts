import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import { CLI } from '../../cli-program.ts'
import { FILES } from './world.ts'

let workspace: TemporaryWorkspace
const at = (path: string) => join(workspace.path, path)
beforeEach(() => {
  workspace = temporaryWorkspace({ ...FILES, 'closed/a.ts': 'export const a = 1\n', 'unreadable.ts': 'a\n' })
  for (const path of ['closed', 'unreadable.ts']) chmodSync(at(path), 0)
})
afterEach(() => {
  chmodSync(at('closed'), 0o755)
  workspace.remove()
})

/** Root may read everything, unless it gives up its rights; a process cannot take back those that it gave up. */
const WITHOUT_RIGHTS =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--', process.execPath] : []

/** The answer to a call for a user who is bound by file permissions. */
function answer(tool: string, input: object, ...more: readonly string[]): unknown {
  const [program = process.execPath, ...before] = WITHOUT_RIGHTS
  const args = [...before, CLI, 'call', '--contract', 'superconnect', ...more]
  const { path: cwd, env } = workspace
  const isLine = more.includes('--jsonl')
  const { stdout } = spawnSync(program, isLine ? args : [...args, tool, JSON.stringify(input), '--json'], {
    cwd,
    env: { ...env },
    ...(isLine && { input: JSON.stringify({ tool, input }) }),
    encoding: 'utf8',
    timeout: 60_000,
  })
  return JSON.parse(stdout)
}

const denied = (path: string) => ({
  error: {
    code: 'PERMISSION_DENIED',
    message: expect.stringContaining(`'${path}' is not accessible to this user`),
    details: expect.objectContaining({ errno: 'EACCES' }),
  },
})

describe('what the system refuses', () => {
  it.each([['alone'], ['--jsonl']])('SC-08, SC-12, SC-17: is PERMISSION_DENIED (%s)', { timeout: 150_000 }, how => {
    const more = how === '--jsonl' ? [how] : []
    expect(answer('readFile', { path: 'unreadable.ts' }, ...more)).toEqual(denied('unreadable.ts'))
    expect(answer('listFiles', { directory: 'closed' }, ...more)).toEqual(denied('closed'))
  })
})
