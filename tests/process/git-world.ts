import { execFileSync } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'

/** A workspace that is a repository with one commit, and ignores `node_modules` and `dist`. */
export function repository(files: Readonly<Record<string, string>> = {}): TemporaryWorkspace {
  const workspace = temporaryWorkspace({ '.gitignore': 'node_modules/\ndist/\n*.log\n', 'a.txt': 'one\n', ...files })
  git(workspace, 'init', '-q', '-b', 'main')
  // As `git config` writes it, which would be two more processes in each of some hundred tests.
  appendFileSync(join(workspace.path, '.git/config'), '[user]\n\tname = Test\n\temail = test@example.com\n')
  git(workspace, 'add', '-A')
  git(workspace, '-c', 'maintenance.auto=false', 'commit', '-q', '-m', 'first')
  return workspace
}

/** Git of the host, in the workspace itself. */
export const git = ({ path }: TemporaryWorkspace, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', path, ...args], {
    env: { PATH: process.env['PATH'], HOME: path, GIT_CONFIG_NOSYSTEM: '1' },
  })
    .toString()
    .trim()
