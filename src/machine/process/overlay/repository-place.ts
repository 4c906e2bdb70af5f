import { cpSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Root } from '../../workspace/root.ts'
import { kindAt } from './valid-repository.ts'

/** Where the files of a repository are landed. Paths are those that they have where `.git` is a directory. */
export interface RepositoryFiles {
  /** What holds the repository. */
  readonly root: Root
  /** Where such a path really lies, from the root. */
  real(path: string): string
}

/** A repository whose `.git` in the work tree only points to it: that of a linked work tree or of a submodule. */
export interface PointedRepository extends RepositoryFiles {
  /** For people. */
  readonly name: string
  /** What is this work tree's own, and what it shares with others; the same directory for a submodule. */
  readonly gitDir: string
  readonly common: string
  /** Relative to the workspace. */
  readonly workTree: string
}

export const ownRepository = (root: Root): RepositoryFiles => ({ root, real: path => path })

/** References that git keeps for each work tree. */
const OF_ONE_TREE = /^(logs\/)?refs\/(bisect|worktree|rewritten)(\/|$)/
const SHARED = /^(objects|packed-refs|shallow|config|(logs\/)?refs)(\/|$)/

/** Reports whether all work trees of a repository share what has this name in its directory. */
export const isShared = (name: string): boolean => SHARED.test(name) && !OF_ONE_TREE.test(name)

/** What a repository is compared by, besides its objects. */
const COMPARED = /^(HEAD|config|packed-refs|shallow|index|sharedindex\..+|[A-Z_]+_HEAD|refs|logs)$/

/**
 * Writes a repository in the usual form at `place`, which is to git what this one is now: to compare changes with, and
 * to be removed again.
 */
export function writeStandIn({ gitDir, common }: PointedRepository, place: string): void {
  const stand = join(place, '.git')
  for (const name of ['objects/info', 'refs']) mkdirSync(join(stand, name), { recursive: true })
  writeFileSync(join(stand, 'objects/info/alternates'), `${join(common, 'objects')}\n`)
  take(gitDir, name => gitDir === common || !isShared(name))
  if (gitDir !== common) take(common, isShared)

  function take(from: string, isTaken: (name: string) => boolean): void {
    for (const name of readdirSync(from)) {
      if (!COMPARED.test(name) || kindAt(join(from, name)) === 'other') continue
      const filter = (source: string) => {
        const inside = source.slice(from.length + 1)
        const stats = lstatSync(source)
        return stats.isDirectory() || (stats.isFile() && isTaken(inside))
      }
      cpSync(join(from, name), join(stand, name), { recursive: true, filter })
    }
  }
}
