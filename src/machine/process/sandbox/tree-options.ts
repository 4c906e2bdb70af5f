import { lstatSync, realpathSync, type Stats } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { SandboxSpec } from './types.ts'

type TreeSpec = Pick<SandboxSpec, 'root' | 'tree' | 'readOnly' | 'hidden'>

/** Options to mount the workspace: its write mode, its read-only and its hidden paths. */
export function treeOptions(spec: TreeSpec, bridge: (path: string) => string): string[] {
  const { root, tree } = spec
  // An overlay is mounted over the workspace before bubblewrap starts, so its source is the same path.
  const source = tree.kind === 'copy' ? tree.path : root
  const bound = bridge(source)
  const writable = tree.kind !== 'read-only'
  const options = [writable ? '--bind' : '--ro-bind', bound, root]
  const readOnly = writable ? spec.readOnly.flatMap(path => protectedPlace(spec, source, path)) : []
  const hiddenPlaces = spec.hidden.flatMap(path => locate(spec, source, path) ?? [])
  if (tree.kind === 'direct')
    for (const place of parents([...readOnly, ...hiddenPlaces.map(({ path }) => path)]))
      options.push('--bind', join(bound, place), join(root, place))
  for (const path of readOnly) options.push('--ro-bind-try', join(bound, path), join(root, path))
  for (const { path, directory } of hiddenPlaces) {
    const place = join(root, path)
    // Bound without devices, so that it cannot be opened.
    if (directory) options.push('--perms', '0000', '--tmpfs', place, '--remount-ro', place)
    else options.push('--ro-bind', '/dev/null', place)
  }
  return options
}

/**
 * Returns the place to make read-only so that this path stays unchanged. If writes land at once, a missing path must
 * not be created, so its nearest existing parent is returned.
 */
function protectedPlace(spec: TreeSpec, source: string, path: string): string[] {
  const place = locate(spec, source, path)
  if (place) return [place.path]
  const above = dirname(path)
  return spec.tree.kind === 'direct' && above !== '.' ? protectedPlace(spec, source, above) : []
}

/** A parent directory of a mount could be renamed and rebuilt, unless it is a mount itself. */
const parents = (places: readonly string[]): string[] => {
  const above = (place: string): string[] => (dirname(place) === '.' ? [] : [...above(dirname(place)), dirname(place)])
  return [...new Set(places.flatMap(above))].toSorted()
}

interface Place {
  readonly path: string
  readonly directory: boolean
}

/**
 * Returns the real location of a path in the tree. Returns undefined if it is missing, since a mount would create its
 * target.
 */
function locate(spec: TreeSpec, source: string, path: string): Place | undefined {
  if (spec.tree.kind === 'overlay') return inLayers([spec.tree.upper, ...spec.tree.lower], path)
  try {
    const real = realpathSync(join(source, path))
    const inside = relative(source, real)
    if (inside === '' || inside === '..' || inside.startsWith('../')) return undefined
    return { path: inside, directory: lstatSync(real).isDirectory() }
  } catch {
    return undefined
  }
}

/** The topmost layer with the path decides. A link stays as it is, because its target has its own name. */
function inLayers(layers: readonly string[], path: string): Place | undefined {
  for (const layer of layers) {
    const stats = inLayer(layer, path)
    if (stats === 'gone') return undefined
    if (stats) return stats.isSymbolicLink() ? undefined : { path, directory: stats.isDirectory() }
  }
  return undefined
}

function inLayer(layer: string, path: string): Stats | 'gone' | undefined {
  let at = layer
  const parts = path.split('/')
  for (const [depth, part] of parts.entries()) {
    at = join(at, part)
    const stats = lstatSync(at, { throwIfNoEntry: false })
    if (!stats) return undefined
    if (stats.isCharacterDevice() && stats.rdev === 0) return 'gone'
    if (depth === parts.length - 1) return stats
    if (!stats.isDirectory()) return 'gone'
  }
  return undefined
}
