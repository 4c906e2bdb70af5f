import { execFileSync } from 'node:child_process'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'

/** A workspace that is a repository with one commit, and ignores `node_modules` and `dist`. */
export function repository(files: Readonly<Record<string, string>> = {}): TemporaryWorkspace {
  const workspace = temporaryWorkspace({ '.gitignore': 'node_modules/\ndist/\n*.log\n', 'a.txt': 'one\n', ...files })
  shell(
    workspace,
    `git init -q -b main
    printf '[user]\\n\\tname = Test\\n\\temail = test@example.com\\n' >> .git/config
    git add -A
    git -c maintenance.auto=false commit -q -m first`,
  )
  return workspace
}

/** Git of the host, in the workspace itself. */
export const git = (workspace: TemporaryWorkspace, ...args: readonly string[]): string =>
  started(workspace, 'git', args)

/** Commands of the host, the first that fails being the last: a shell starts many sooner than a test starts one. */
export const shell = (workspace: TemporaryWorkspace, script: string): string =>
  started(workspace, 'sh', ['-ec', script])

const started = ({ path }: TemporaryWorkspace, program: string, args: readonly string[]): string =>
  execFileSync(program, args, {
    cwd: path,
    env: { PATH: process.env['PATH'], HOME: path, GIT_CONFIG_NOSYSTEM: '1' },
  })
    .toString()
    .trim()
