import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Files } from './affected-tests.ts'
import { Stop } from './say.mjs'

export interface Change {
  /** The state that the files are compared with. */
  readonly since: string
  readonly files: readonly string[]
}

/**
 * The files that differ from where `ref` and HEAD parted, committed or not, untracked ones too. Without a ref: those that
 * are not committed, and in a clean tree those of the last commit.
 */
export function changedFiles(root: string, ref?: string): Change {
  if (ref !== undefined) return differing(root, git(root, 'merge-base', commitOf(root, ref), 'HEAD').trim(), ref)
  const uncommitted = differing(root, 'HEAD')
  return uncommitted.files.length > 0 ? uncommitted : differing(root, commitOf(root, 'HEAD~1'), 'HEAD~1')
}

/** The files of the working tree, with the text of each source. */
export function filesOf(root: string): Files {
  const names = lines(git(root, 'ls-files', '-z', '--cached', '--others', '--exclude-standard'))
  return new Map(
    [...new Set(names)]
      .filter(name => existsSync(join(root, name)))
      .map(name => [name, /\.(ts|mjs)$/.test(name) ? readFileSync(join(root, name), 'utf8') : '']),
  )
}

/** Reports whether a word names a commit. */
export function isCommit(root: string, ref: string): boolean {
  try {
    git(root, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`)
    return true
  } catch {
    return false
  }
}

const differing = (root: string, commit: string, since = commit): Change => ({
  since,
  // A renamed file counts as deleted and as new.
  files: [
    ...lines(git(root, 'diff', '--name-only', '-z', '--no-renames', commit, '--')),
    ...lines(git(root, 'ls-files', '-z', '--others', '--exclude-standard')),
  ],
})

function commitOf(root: string, ref: string): string {
  if (!isCommit(root, ref)) throw new Stop(`git knows no commit '${ref}' here.`)
  return git(root, 'rev-parse', `${ref}^{commit}`).trim()
}

const lines = (output: string): readonly string[] => output.split('\0').filter(name => name !== '')

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 })
