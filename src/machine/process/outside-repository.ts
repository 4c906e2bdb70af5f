import { lstatSync, readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { findRepository } from './overlay/find-repository.ts'
import type { RunSpec } from './types.ts'

/** A workspace's repository that lies outside the workspace. */
interface OutsideRepository {
  readonly gitDir: string
  /** Directory in which commands may read it; undefined if it is hidden from them. */
  readonly shown?: string
  /**
   * Reports whether the sandbox can hold a command's changes to it: only if it lies beside the workspace, not around or
   * inside.
   */
  readonly isApart?: boolean
  /** What git in a command can do here, in words. */
  readonly words: string
}

/**
 * Commands see only the workspace. They also see the repository of a linked work tree or a submodule if the repository
 * itself names the work tree, since any file could name any repository. A repository around the workspace stays hidden,
 * because it contains outside files.
 */
export function outsideRepository(root: string): OutsideRepository | undefined {
  const repository = findRepository(root)
  if (repository === undefined || repository.gitDir === join(root, '.git')) return undefined
  const { gitDir, workTree } = repository
  const common = resolve(gitDir, lineOf(join(gitDir, 'commondir')) ?? '.')
  if (isLinkedTo(root, gitDir, common) || isSubmoduleAt(root, gitDir, common))
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

function isLinkedTo(root: string, gitDir: string, common: string): boolean {
  const back = lineOf(join(gitDir, 'gitdir'))
  return (
    back !== undefined &&
    resolve(gitDir, back) === join(root, '.git') &&
    gitDir.startsWith(join(common, 'worktrees') + sep)
  )
}

/**
 * A submodule's repository lies among the modules of its parent repository and names its work tree in its
 * configuration.
 */
function isSubmoduleAt(root: string, gitDir: string, common: string): boolean {
  if (gitDir !== common || !gitDir.includes(`${sep}modules${sep}`)) return false
  const core = /^\[core\]\n((?:[ \t].*\n)*)/m.exec(textOf(join(gitDir, 'config')) ?? '')?.[1] ?? ''
  const worktree = /^\s*worktree = (.+)$/m.exec(core)?.[1]
  return worktree !== undefined && resolve(gitDir, worktree) === root
}

/**
 * Warnings for a command that names git. `mayChange`: its changes to a repository beside the workspace land, or it
 * changes nothing.
 */
export const gitWarnings = (root: string, { line, argv }: RunSpec, mayChange: boolean): readonly string[] => {
  if (!/(^|[^\w.-])git([^\w.-]|$)/.test(line ?? argv?.join(' ') ?? '')) return []
  const outside = outsideRepository(root)
  return outside === undefined || (outside.isApart && mayChange) ? [] : [outside.words]
}

const isWithin = (outer: string, inner: string): boolean => `${inner}${sep}`.startsWith(`${outer}${sep}`)

const lineOf = (place: string): string | undefined => /^([^\0\n]+)\n?$/.exec(textOf(place) ?? '')?.[1]

const MOST_BYTES = 65_536

function textOf(place: string): string | undefined {
  try {
    const stats = lstatSync(place)
    return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(place, 'utf8') : undefined
  } catch {
    return undefined
  }
}
