import { lstatSync, readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { findRepository } from './overlay/find-repository.ts'
import type { RunSpec } from './types.ts'

/** A repository that a workspace belongs to and that does not lie in it. */
export interface OutsideRepository {
  readonly gitDir: string
  /** The directory that commands may read it in; undefined where it is kept from them. */
  readonly shown?: string
  /** Where the sandbox can hold what a command changes in it: only beside the workspace, not around or inside it. */
  readonly isApart?: boolean
  /** What git in a command can do here, in words. */
  readonly words: string
}

/**
 * Commands see the workspace alone. The repository of a linked work tree is shown to them where it says itself that the
 * work tree is its own, since any file could name any repository; one that lies around the workspace holds what is
 * outside, and is not.
 */
export function outsideRepository(root: string): OutsideRepository | undefined {
  const found = findRepository(root)
  if (found === undefined || found.gitDir === join(root, '.git')) return undefined
  const { gitDir, workTree } = found
  const common = resolve(gitDir, lineOf(join(gitDir, 'commondir')) ?? '.')
  const back = lineOf(join(gitDir, 'gitdir'))
  const isLinked =
    back !== undefined &&
    resolve(gitDir, back) === join(root, '.git') &&
    gitDir.startsWith(join(common, 'worktrees') + sep)
  if (isLinked)
    return {
      gitDir,
      shown: common,
      isApart: !isWithin(common, root) && !isWithin(root, common),
      words: `git reads in commands here but changes nothing: the repository is ${common}, outside the workspace; commit with your own git, or open ${dirname(common)} as the workspace`,
    }
  return {
    gitDir,
    words: `git cannot be used in commands here: the repository is ${gitDir}, outside the workspace; open ${workTree === root ? 'the repository that it belongs to' : workTree} as the workspace`,
  }
}

/**
 * What is to be known of git by whoever runs a command that names it. `mayChange`: what it changes in a repository beside
 * the workspace lands, or it changes nothing.
 */
export const gitWarnings = (root: string, { line, argv }: RunSpec, mayChange: boolean): readonly string[] => {
  if (!/(^|[^\w.-])git([^\w.-]|$)/.test(line ?? argv?.join(' ') ?? '')) return []
  const outside = outsideRepository(root)
  return outside === undefined || (outside.isApart && mayChange) ? [] : [outside.words]
}

const isWithin = (outer: string, inner: string): boolean => `${inner}${sep}`.startsWith(`${outer}${sep}`)

const MOST_BYTES = 4096

function lineOf(place: string): string | undefined {
  try {
    return lstatSync(place).size > MOST_BYTES ? undefined : /^([^\0\n]+)\n?$/.exec(readFileSync(place, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
