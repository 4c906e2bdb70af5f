import { execFileSync } from 'node:child_process'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'

/** A workspace that is a repository with one commit, and ignores `node_modules` and `dist`. */
export function repository(files: Readonly<Record<string, string>> = {}): TemporaryWorkspace {
  const workspace = temporaryWorkspace({ '.gitignore': 'node_modules/\ndist/\n*.log\n', 'a.txt': 'one\n', ...files })
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'Test'],
    ['config', 'user.email', 'test@example.com'],
    ['add', '-A'],
    ['commit', '-q', '-m', 'first'],
  ])
    git(workspace, ...args)
  return workspace
}

/** Git of the host, in the workspace itself. */
export const git = ({ path }: TemporaryWorkspace, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', path, ...args], {
    env: { PATH: process.env['PATH'], HOME: path, GIT_CONFIG_NOSYSTEM: '1' },
  })
    .toString()
    .trim()
