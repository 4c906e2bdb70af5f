import { hardenedGit, namesIn } from './overlay/hardened-git.ts'

const LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024 ** 2 }

type Env = Readonly<Record<string, string | undefined>>

/**
 * Returns every path that a commit of the workspace's repository contains, including commits held only by a reflog or
 * the stash. Returns undefined without a repository, or if the history is too large. `knownCommits`: commits whose
 * paths, and those of their ancestors, are already known.
 */
export function pathsInHistory(
  root: string,
  env: Env,
  knownCommits: readonly string[] = [],
): readonly string[] | undefined {
  const args = [
    'log',
    '--all',
    '--reflog',
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
    '--stdin',
  ]
  const input = Buffer.from(knownCommits.map(id => `^${id}\n`).join(''))
  const { status, stdout } = hardenedGit(root, args, input, env, LIMITS)
  return status === 0 ? [...new Set(namesIn(stdout).map(name => name.replace(/^\n/, '')))] : undefined
}

/** Returns the commit of every reference, including HEAD, or undefined if git fails. */
export function referenceTips(root: string, env: Env): readonly string[] | undefined {
  const { status, stdout } = hardenedGit(root, ['show-ref', '--head', '--hash'], undefined, env, LIMITS)
  // Git's status for a repository without references.
  if (status !== 0 && status !== 1) return undefined
  return [...new Set(stdout.toString('latin1').split('\n'))].filter(id => id !== '').toSorted()
}

/**
 * Returns the kinds of objects, besides commits, that references point to, and whether notes exist. Returns undefined
 * if git fails.
 */
export function referenceKinds(
  root: string,
  env: Env,
): { readonly others: boolean; readonly notes: boolean } | undefined {
  const args = ['for-each-ref', '--format=%(objecttype) %(*objecttype) %(refname)']
  const { status, stdout } = hardenedGit(root, args, undefined, env, LIMITS)
  if (status !== 0) return undefined
  const lines = stdout
    .toString('latin1')
    .split('\n')
    .filter(line => line !== '')
  return {
    others: lines.some(line => !/^(commit |tag commit) /.test(line)),
    notes: lines.some(line => / refs\/notes\//.test(line)),
  }
}

/** Returns the paths in the index. */
export function pathsInIndex(root: string, env: Env): readonly string[] | undefined {
  const { status, stdout } = hardenedGit(root, ['ls-files', '-z'], undefined, env, LIMITS)
  return status === 0 ? namesIn(stdout) : undefined
}
