import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import { CLI } from '../../cli-program.ts'
import { failure, timeless } from './rig.ts'

let workspace: TemporaryWorkspace
const at = (path: string) => join(workspace.path, path)
beforeEach(() => {
  workspace = temporaryWorkspace({ 'locked/old.txt': 'old\n', 'closed/a.txt': 'a\n', 'unreadable.txt': 'a\n' })
  chmodSync(at('locked'), 0o555)
  chmodSync(at('closed'), 0)
  chmodSync(at('unreadable.txt'), 0)
})
afterEach(() => {
  for (const directory of ['locked', 'closed']) chmodSync(at(directory), 0o755)
  workspace.remove()
})

/** Root may write everywhere, unless it gives up its rights; a process cannot take back those that it gave up. */
const WITHOUT_RIGHTS =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all', '--', process.execPath] : []

/** The answers to these calls for a user who is bound by file permissions. */
function answers(calls: readonly { readonly tool: string; readonly input: object }[]): readonly unknown[] {
  const [program = process.execPath, ...before] = WITHOUT_RIGHTS
  const args = [...before, CLI, 'call', '--jsonl', '--contract', 'cli-agent', '--yes']
  const input = calls.map(call => JSON.stringify(call)).join('\n')
  const { path: cwd, env } = workspace
  const { stdout } = spawnSync(program, args, { cwd, env: { ...env }, input, encoding: 'utf8', timeout: 60_000 })
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

const denied = (tool: string, message: string) => ({
  tool,
  ...failure('permission_denied', message, /[Cc]heck the permissions/),
})

describe('what the system refuses', () => {
  it('CA-04, CA-07, CA-12: is told in the printed words, and changes nothing', { timeout: 90_000 }, () => {
    const told = answers([
      { tool: 'create_file', input: { path: 'locked/new.txt', content: 'x' } },
      { tool: 'create_file', input: { path: 'closed/new.txt', content: 'x' } },
      { tool: 'create_directory', input: { path: 'locked/new' } },
      { tool: 'create_directory', input: { path: 'closed/new/deep' } },
      { tool: 'list_dir', input: { path: 'closed' } },
    ])
    expect(told.map(timeless)).toStrictEqual([
      denied('create_file', "Cannot create file 'locked/new.txt' - permission denied"),
      denied('create_file', "Cannot create file 'closed/new.txt' - permission denied"),
      denied('create_directory', 'Cannot create directory - permission denied'),
      denied('create_directory', 'Cannot create directory - permission denied'),
      denied('list_dir', 'Cannot list directory - permission denied'),
    ])
    expect(readdirSync(at('locked'))).toEqual(['old.txt'])
  })

  it('CA-03: has the code of a refusal where the document prints no words for it', { timeout: 90_000 }, () => {
    const told = answers([
      { tool: 'read_file', input: { path: 'unreadable.txt' } },
      { tool: 'replace_string_in_file', input: { path: 'locked/old.txt', old_string: 'old', new_string: 'new' } },
      { tool: 'file_search', input: { pattern: '*', base_path: 'closed' } },
    ])
    expect(told.map(timeless)).toStrictEqual([
      denied('read_file', "'unreadable.txt' is not accessible to this user"),
      denied('replace_string_in_file', "'locked/old.txt' is not accessible to this user"),
      denied('file_search', "'closed' is not accessible to this user"),
    ])
    expect(workspace.read('locked/old.txt')).toBe('old\n')
  })
})
