import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parentOf } from '../../workspace/path.ts'
import type { Root } from '../../workspace/root.ts'
import { linkedFrom } from './find-repository.ts'
import type { LayerChange } from './layer-change.ts'
import type { PointedRepository } from './repository-place.ts'
import { isHeadFile, kindAt } from './valid-repository.ts'

const MODULES = '.git/modules/'

export interface PointedChanges {
  readonly repository: PointedRepository
  /** With paths as in a `.git` directory. */
  readonly made: readonly LayerChange[]
}

/**
 * Separates changes to submodule repositories from others. Changes outside an existing submodule stay with the others.
 */
export function submoduleChanges(
  root: Root,
  commandChanges: readonly LayerChange[],
): { readonly rest: readonly LayerChange[]; readonly modules: readonly PointedChanges[] } {
  const repositories = new Map<string, PointedRepository | undefined>()
  const homes = commandChanges.map(one => (one.path.startsWith(MODULES) ? homeOf(parentOf(one.path)) : undefined))
  const groups = Map.groupBy(commandChanges.keys(), at => homes[at])
  const modules = [...groups].flatMap(([home, places]): PointedChanges[] => {
    const repository = home === undefined ? undefined : repositories.get(home)
    if (home === undefined || !repository) return []
    const changes = Array.from(places, at => commandChanges[at]).flatMap(one => one ?? [])
    return [{ repository, made: changes.map(one => ({ ...one, path: `.git${one.path.slice(home.length)}` })) }]
  })
  return { rest: Array.from(groups.get(undefined) ?? [], at => commandChanges[at]).flatMap(one => one ?? []), modules }

  /** Returns the innermost repository directory that contains a path. */
  function homeOf(directory: string): string | undefined {
    for (let at = directory; at.startsWith(MODULES); at = parentOf(at)) {
      if (!repositories.has(at)) repositories.set(at, repositoryAt(root, at))
      if (repositories.get(at)) return at
    }
    return undefined
  }
}

function repositoryAt(root: Root, home: string): PointedRepository | undefined {
  const gitDir = join(root.path, home)
  if (!isHeadFile(join(gitDir, 'HEAD')) || kindAt(join(gitDir, 'commondir')) !== 'absent') return undefined
  if (!['objects', 'refs'].every(name => kindAt(join(gitDir, name)) === 'directory')) return undefined
  const workTree = workTreeOf(root.path, gitDir)
  if (workTree === undefined) return undefined
  return {
    name: `the submodule ${workTree}`,
    root,
    real: path => `${home}${path.slice('.git'.length)}`,
    gitDir,
    common: gitDir,
    workTree,
  }
}

/** Returns the work tree if it and the repository name each other. */
function workTreeOf(root: string, gitDir: string): string | undefined {
  const config = join(gitDir, 'config')
  if (kindAt(config) !== 'file') return undefined
  const [, target] = /^\s*worktree\s*=\s*"?([^"\n]+?)"?\s*$/m.exec(readFileSync(config, 'utf8')) ?? []
  if (target === undefined) return undefined
  const place = resolve(gitDir, target)
  const inside = relative(root, place)
  if (inside === '' || /^\.\.(\/|$)/.test(inside)) return undefined
  return linkedFrom(join(place, '.git')) === gitDir ? inside : undefined
}
