import { parentOf } from '../../workspace/path.ts'
import { refusedShape, shapeTree } from '../../workspace/refuse-repository.ts'
import { findRepositoryShape, type ShapeTree } from '../../workspace/repository-shape.ts'
import type { View } from '../../workspace/view.ts'
import { isGitPath } from './git-paths.ts'
import type { LayerChange } from './layer-change.ts'
import { bytesOf } from './stage-changes.ts'

const MOST_BYTES = 1024 ** 2

/**
 * Throws `denied` if a command left a directory that git takes for a repository, or changed what git follows in one.
 * Otherwise returns the command's files.
 */
export function refuseBareRepository(changes: readonly LayerChange[], view: View): ShapeTree {
  const ordinary = changes.filter(({ path }) => !isGitPath(path))
  const before = shapeTree(view)
  const after = treeAfter(ordinary, before)
  const shape = findRepositoryShape(ordinary, before, after)
  if (shape) throw refusedShape(shape, 'All changes of the command were discarded')
  return after
}

function treeAfter(made: readonly LayerChange[], before: ShapeTree): ShapeTree {
  const changesByPath = new Map(made.map(one => [one.path, one]))
  const below = Map.groupBy(made, ({ path }) => parentOf(path))
  const isFresh = (directory: string): boolean => below.get(directory)?.some(({ fresh }) => fresh) ?? false
  return {
    names(directory) {
      const there = new Set(isFresh(directory) ? [] : before.names(directory))
      for (const { path, type } of below.get(directory) ?? []) {
        const name = path.slice(path.lastIndexOf('/') + 1)
        if (type === 'absent') there.delete(name)
        else there.add(name)
      }
      return [...there]
    },
    type: path => changesByPath.get(path)?.type ?? (isFresh(parentOf(path)) ? 'absent' : before.type(path)),
    bytes(path) {
      const one = changesByPath.get(path)
      if (one === undefined) return before.bytes(path)
      return one.type === 'file' && one.size <= MOST_BYTES ? bytesOf(one) : undefined
    },
  }
}
