import { hardenedGit, namesIn } from './overlay/hardened-git.ts'

const LIMITS = { timeoutMs: 5000, maxBytes: 64 * 1024 ** 2 }

type Env = Readonly<Record<string, string | undefined>>

/**
 * The paths that any commit of the workspace's repository knows, also one that only a reflog or the stash holds;
 * undefined if there is none, or too much to look through. `known`: commits whose paths are known already, with
 * those of all before them.
 */
export function pathsInHistory(root: string, env: Env, known: readonly string[] = []): readonly string[] | undefined {
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
  const input = Buffer.from(known.map(id => `^${id}\n`).join(''))
  const { status, stdout } = hardenedGit(root, args, input, env, LIMITS)
  return status === 0 ? [...new Set(namesIn(stdout).map(name => name.replace(/^\n/, '')))] : undefined
}

/** Where every reference stands, HEAD among them; undefined if git does not say. */
export function referenceTips(root: string, env: Env): readonly string[] | undefined {
  const { status, stdout } = hardenedGit(root, ['show-ref', '--head', '--hash'], undefined, env, LIMITS)
  // Git says so where there is no reference at all.
  if (status !== 0 && status !== 1) return undefined
  return [...new Set(stdout.toString('latin1').split('\n'))].filter(id => id !== '').toSorted()
}

/** What references lead to besides commits, and whether there are notes; undefined if git does not say. */
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

/** The paths that are to be committed next. */
export function pathsInIndex(root: string, env: Env): readonly string[] | undefined {
  const { status, stdout } = hardenedGit(root, ['ls-files', '-z'], undefined, env, LIMITS)
  return status === 0 ? namesIn(stdout) : undefined
}
