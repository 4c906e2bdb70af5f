import { hardenedGit, namesIn } from './overlay/hardened-git.ts'

const LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024 ** 2 }

/** The paths that any commit of the workspace's repository knows; undefined where there is none, or too much to look through. */
export function pathsInHistory(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] | undefined {
  const args = [
    'log',
    '--all',
    '--no-show-signature',
    '--no-ext-diff',
    '--no-textconv',
    '--relative',
    '--format=',
    '--name-only',
    '--no-renames',
    '-z',
    '--diff-filter=A',
    '-m',
  ]
  const { status, stdout } = hardenedGit(root, args, undefined, env, LIMITS)
  return status === 0 ? [...new Set(namesIn(stdout).map(name => name.replace(/^\n/, '')))] : undefined
}
