import { chmodSync, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { nameFromBytes } from '../../workspace/name.ts'
import { join, show } from '../../workspace/path.ts'
import type { View } from '../../workspace/view.ts'
import { layerPath } from './layer-path.ts'
import type { Made, MadeGone } from './made.ts'
import { opaqueDirectories } from './opaque-directories.ts'
import { permissionsOfMade } from './refuse-special.ts'

type Before = MadeGone['was'] | 'absent'

/**
 * What the upper layer of an overlay says over the tree below it: created, changed, deleted, mode; a touched file is
 * told although it may be equal. The layer is ours alone by now, and no link in it is followed.
 */
export function readUpper(upper: string, view: View, skip: (path: string) => boolean): Made[] {
  const found: Made[] = []
  const merged = mergedDirectories(upper, view)
  const opaque = opaqueDirectories(upper, [...merged])
  descend('.', false)
  return found

  function descend(directory: string, fresh: boolean): void {
    const names = namesIn(upper, directory)
    if (opaque.has(directory))
      for (const { path } of childrenOf(view, directory)) if (!names.includes(lastOf(path))) goneBelow(path)
    for (const name of names) {
      const path = join(directory, name)
      if (!skip(path)) one(path, fresh)
    }
  }

  function one(path: string, fresh: boolean): void {
    const stats = lstatSync(layerPath(upper, path))
    if (isWhiteout(stats)) {
      if (!fresh) goneBelow(path)
      return
    }
    const mode = permissionsOfMade(path, stats)
    const before: Before = fresh ? 'absent' : typeAt(view, path)
    if (stats.isDirectory()) {
      if (before !== 'directory') found.push({ type: 'directory', path, fresh, mode })
      descend(path, before !== 'directory')
      return
    }
    if (before === 'directory') for (const child of childrenOf(view, path)) goneBelow(child.path)
    const at = layerPath(upper, path)
    if (stats.isSymbolicLink())
      found.push({
        type: 'symlink',
        path,
        fresh,
        target: nameFromBytes(readlinkSync(at, { encoding: 'buffer' })),
      })
    else found.push({ type: 'file', path, fresh, mode, size: stats.size, at })
  }

  function goneBelow(path: string): void {
    const was = typeAt(view, path)
    if (was === 'absent' || skip(path)) return
    if (was === 'directory') for (const child of childrenOf(view, path)) goneBelow(child.path)
    found.push({ type: 'absent', path, fresh: false, was })
  }
}

/** Directories that are in the upper layer and below it: only these can be opaque with a consequence. */
function mergedDirectories(upper: string, view: View, directory = '.'): string[] {
  return namesIn(upper, directory).flatMap(name => {
    const path = join(directory, name)
    if (!lstatSync(layerPath(upper, path)).isDirectory() || typeAt(view, path) !== 'directory') return []
    return [path, ...mergedDirectories(upper, view, path)]
  })
}

function namesIn(layer: string, directory: string): string[] {
  const place = layerPath(layer, directory)
  // A command may have closed its own directory; the layer is ours, and the mode was read before.
  if (process.getuid?.() !== 0 && (lstatSync(place).mode & 0o500) !== 0o500) chmodSync(place, 0o700)
  return readdirSync(place, { encoding: 'buffer' }).map(nameFromBytes)
}

const isWhiteout = (stats: Stats): boolean => stats.isCharacterDevice() && stats.rdev === 0

/** What the tree below shows; a name that has become a link to elsewhere meanwhile is somebody else's work. */
export function typeAt(view: View, path: string): Before {
  return view.look(path, { link: true }, ({ located, type }) => {
    if (located.rel !== path) throw movedAway(path)
    return type
  })
}

export const childrenOf = (view: View, path: string): { readonly path: string }[] =>
  view.look(path, { link: true }, look => (look.located.rel === path ? view.children(look) : []))

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const movedAway = (path: string): ToolError =>
  new ToolError('conflict', `${show(path)} was replaced by somebody else while the command ran`, {
    hint: 'Look at the workspace again, then repeat the command.',
    details: { path },
  })
