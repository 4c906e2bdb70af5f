import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TemporaryWorkspace } from '../../../src/testing/index.ts'
import { CLI } from '../connect.ts'
import { isRunning } from '../is-running.ts'

const folder = join(import.meta.dirname, '../../../tools/mcp-clients')

/** Loads a library that `npm test` installs, without types, so that checks of types need none of them. */
export const load = createRequire(join(folder, 'package.json'))

/** The Inspector's program. */
export const INSPECTOR = join(folder, 'node_modules/.bin/mcp-inspector')

export const FILES = { 'a.txt': 'one\ntwo\n' }

/** Calls in a workspace with these files, and the text of their answers. */
export const calls = {
  read: { input: { path: 'a.txt' }, text: /^a\.txt \(lines 1-2 of 2, .*\)\n1\tone\n2\ttwo$/ },
  readMissing: { input: { path: 'missing.txt' }, text: "not_found: 'missing.txt' does not exist" },
  editOne: { input: { path: 'a.txt', edits: [{ old: 'one', new: 'ONE' }] } },
  editTwo: { input: { path: 'a.txt', edits: [{ old: 'two', new: 'TWO' }] } },
}

/** How every library is told to start the server. */
export const server = ({ path, env }: TemporaryWorkspace, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [CLI, 'mcp', ...args],
  cwd: path,
  env: { ...env },
  stderr: 'ignore' as const,
})

/** Takes longer than a test may, and as long as nobody else on the machine asks for. */
export const SLEEP = `sleep ${600 + Math.random()}`
export const sleepRuns = async () => {
  await expect.poll(() => isRunning(SLEEP), { timeout: 20_000 }).toBe(true)
}
export const sleepIsGone = async () => {
  await expect.poll(() => isRunning(SLEEP), { timeout: 20_000 }).toBe(false)
}
