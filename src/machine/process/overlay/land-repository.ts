import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onDisk } from '../../workspace/name.ts'
import { repositoryOrder } from '../../workspace/repository-path.ts'
import { applyChanges } from './apply-changes.ts'
import { openLayer, type Layer } from './layer.ts'
import type { LayerChange } from './layer-change.ts'
import type { RepositoryFiles } from './repository-place.ts'

/**
 * Applies a command's repository changes completely, or leaves git's view unchanged. Returns failures in words. Adds
 * new objects first and removes old ones last, so that none is ever missing.
 */
export function landRepository(
  files: RepositoryFiles,
  changes: readonly LayerChange[],
  directory: string,
): readonly string[] {
  const { root, real } = files
  const inOrder = changes.toSorted((a, b) => repositoryOrder(a.path) - repositoryOrder(b.path))
  const isObject = ({ path }: LayerChange): boolean => /^\.git(\/objects(\/|$)|$)/.test(path)
  const apply = (some: readonly LayerChange[]) =>
    applyChanges(
      root,
      some.map(one => ({ ...one, path: real(one.path) })),
    )
  const objectsResult = apply(inOrder.filter(one => isObject(one) && one.type !== 'absent'))
  if (objectsResult.warnings[0] !== undefined) return [notLanded(objectsResult.warnings[0])]
  const standing = inOrder.filter(one => !isObject(one))
  const backup = join(directory, 'before')
  // Every repository of a command has its own.
  mkdirSync(backup, { recursive: true })
  const layer = openLayer(root.sys, backup)
  try {
    const before = asTheyStand(files, standing, backup, layer)
    const landing = apply(standing)
    if (landing.warnings[0] === undefined)
      return apply(inOrder.filter(one => isObject(one) && one.type === 'absent')).warnings
    const landedPaths = new Set(landing.done)
    const { warnings } = apply(before.filter(({ path }) => landedPaths.has(real(path))))
    return [notLanded(landing.warnings[0]), ...warnings]
  } finally {
    layer.close()
  }
}

/** Returns the current state of these paths in restorable form. Their bytes are stored in a directory of ours. */
function asTheyStand(
  { root, real }: RepositoryFiles,
  made: readonly LayerChange[],
  kept: string,
  layer: Layer,
): LayerChange[] {
  return made.map((one, at): LayerChange => {
    const { path } = one
    const place = root.resolve(real(path), { link: true })
    try {
      if (place.stats?.isDirectory())
        return { type: 'directory', path, fresh: false, mode: Number(place.stats.mode & 0o777n) }
      if (place.stats?.isFile() !== true || place.rel !== real(path))
        return { type: 'absent', path, fresh: false, was: one.type === 'directory' ? 'directory' : 'file' }
      const copy = join(kept, String(at))
      const fd = root.sys.openFile(place.dir, onDisk(place.name ?? ''))
      try {
        writeFileSync(copy, readFileSync(fd))
      } finally {
        root.sys.close(fd)
      }
      const { mode, size, uid, gid } = place.stats
      if (process.getuid?.() === 0) chownSync(copy, Number(uid), Number(gid))
      return {
        type: 'file',
        path,
        fresh: false,
        mode: Number(mode & 0o777n),
        size: Number(size),
        at: { layer, path: String(at) },
      }
    } finally {
      place.release()
    }
  })
}

const notLanded = (why: string): string => `Not kept: anything the command changed under .git (${why})`
