import { cpSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Root } from '../../workspace/root.ts'
import { kindAt } from './valid-repository.ts'

/** Destination of a repository's files. Paths are those of a `.git` directory. */
export interface RepositoryFiles {
  /** Root that contains the repository. */
  readonly root: Root
  /** Returns the real location of such a path, relative to the root. */
  real(path: string): string
  /** For people, unless it is the repository of the workspace itself. */
  readonly name?: string
}

/** A repository that `.git` in the work tree only points to: of a linked work tree or a submodule. */
export interface PointedRepository extends RepositoryFiles {
  readonly name: string
  /** Directories of this work tree and of the files it shares with others. Equal for a submodule. */
  readonly gitDir: string
  readonly common: string
  /** Relative to the workspace. */
  readonly workTree: string
}

export const ownRepository = (root: Root): RepositoryFiles => ({ root, real: path => path })

/** References that git stores per work tree. */
const OF_ONE_TREE = /^(logs\/)?refs\/(bisect|worktree|rewritten)(\/|$)/
const SHARED = /^(objects|packed-refs|shallow|config|(logs\/)?refs)(\/|$)/

/** Reports whether all work trees of a repository share this name. */
export const isShared = (name: string): boolean => SHARED.test(name) && !OF_ONE_TREE.test(name)

/** Files, besides objects, by which repositories are compared. */
const COMPARED = /^(HEAD|config|packed-refs|shallow|index|sharedindex\..+|[A-Z_]+_HEAD|refs|logs)$/

/** Writes an equivalent repository in the usual form at `place`, to compare changes with. The caller removes it. */
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
