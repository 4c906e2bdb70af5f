import type { BigIntStats } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { nameFromBytes } from '../../workspace/name.ts'
import { join, show } from '../../workspace/path.ts'
import type { View } from '../../workspace/view.ts'
import type { Layer } from './layer.ts'
import type { LayerChange, RemovedEntry } from './layer-change.ts'
import { opaqueDirectories } from './opaque-directories.ts'
import { permissionsOfChange } from './refuse-special.ts'

/** Paths that were hidden from the command. */
interface HiddenFrom {
  readonly isHidden: (path: string) => boolean
  /** The path was absent, so the command may have created an entry of the same name. */
  readonly isAbsent: boolean
}

type Before = RemovedEntry['was'] | 'absent'

/**
 * Reads the changes that an overlay's upper layer makes to the tree below: created, changed, deleted, mode. Reports a
 * touched file even if its content is equal.
 */
export function readUpper(upper: Layer, view: View, { isHidden: skip, isAbsent }: HiddenFrom): LayerChange[] {
  const changes: LayerChange[] = []
  const mergedPaths = mergedDirectories(upper, view)
  const opaque = opaqueDirectories(upper, [...mergedPaths])
  descend('.', false)
  return changes

  function descend(directory: string, fresh: boolean): void {
    const names = upper.names(directory)
    if (opaque.has(directory))
      for (const { path } of childrenOf(view, directory)) if (!names.includes(lastOf(path))) goneBelow(path)
    for (const name of names) {
      const path = join(directory, name)
      if (isAbsent || !skip(path)) one(path, fresh)
    }
  }

  function one(path: string, fresh: boolean): void {
    const stats = upper.stats(path)
    if (isWhiteout(stats)) {
      if (!fresh) goneBelow(path)
      return
    }
    const mode = permissionsOfChange(path, stats)
    const before: Before = fresh ? 'absent' : typeAt(view, path)
    if (isAbsent && skip(path)) refuseUnseen({ path, type: stats.isDirectory() ? 'directory' : 'file' }, before)
    if (stats.isDirectory()) {
      if (before !== 'directory') changes.push({ type: 'directory', path, fresh, mode })
      descend(path, before !== 'directory')
      return
    }
    if (before === 'directory') for (const child of childrenOf(view, path)) goneBelow(child.path)
    if (stats.isSymbolicLink())
      changes.push({
        type: 'symlink',
        path,
        fresh,
        target: nameFromBytes(upper.target(path)),
      })
    else changes.push({ type: 'file', path, fresh, mode, size: Number(stats.size), at: { layer: upper, path } })
  }

  function goneBelow(path: string): void {
    const was = typeAt(view, path)
    if (was === 'absent' || skip(path)) return
    if (was === 'directory') for (const child of childrenOf(view, path)) goneBelow(child.path)
    changes.push({ type: 'absent', path, fresh: false, was })
  }
}

const IN_REPOSITORY = /(^|\/)\.git(\/|$)/i

/** Refuses an entry at a hidden path: the command could not know what it replaces. Directories merge. */
export function refuseUnseen({ path, type }: Pick<LayerChange, 'path' | 'type'>, before: Before): void {
  const isSameKind = (before === 'directory') === (type === 'directory')
  // Changes to a hidden repository are discarded in any case.
  if (before === 'absent' || (isSameKind && (type === 'directory' || IN_REPOSITORY.test(path)))) return
  const permission = `fs:read:${path}`
  throw new ToolError('denied', `The command created ${show(path)}, which already exists and which it may not read`, {
    hint: `All changes of the command were discarded. It needs the permission ${show(permission)}, or another name`,
    details: { path, permission },
  })
}

/** Directories in both the upper layer and the tree below: only these can have effect as opaque. */
function mergedDirectories(upper: Layer, view: View, directory = '.'): string[] {
  return upper.names(directory).flatMap(name => {
    const path = join(directory, name)
    if (!upper.stats(path).isDirectory() || typeAt(view, path) !== 'directory') return []
    return [path, ...mergedDirectories(upper, view, path)]
  })
}

const isWhiteout = (stats: BigIntStats): boolean => stats.isCharacterDevice() && stats.rdev === 0n

/** Returns the type in the tree below. A name that has become an outward link is another program's work. */
export function typeAt(view: View, path: string): Before {
  return view.look(path, { link: true }, ({ located, type }) => {
    if (located.rel !== path) throw movedAway(path)
    return type
  })
}

const childrenOf = (view: View, path: string): { readonly path: string }[] =>
  view.look(path, { link: true }, look => (look.located.rel === path ? view.children(look) : []))

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

export const movedAway = (path: string): ToolError =>
  new ToolError('conflict', `${show(path)} was replaced by another program while the command ran`, {
    hint: 'Look at the workspace again, then repeat the command.',
    details: { path },
  })
