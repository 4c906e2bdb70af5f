import { ToolError } from '../../kernel/error.ts'
import { show, isRepositoryPath } from './path.ts'
import { findRepositoryShape, type RefusedShape, type ShapeTree } from './repository-shape.ts'
import type { Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import { createView, type Look, type View } from './view.ts'

const MOST_BYTES = 1024 ** 2

/**
 * Throws `denied` if the staged changes would make a directory a git repository, or change what git follows in one.
 * `restores`: they restore an earlier state.
 */
export function refuseRepository(root: Root, staging: Staging, restores: boolean): void {
  // Only a command stages files of the workspace's own repository, and they were judged as such.
  const changedPaths = staging
    .entries()
    .flatMap(([path, { state }]) => (isRepositoryPath(path) ? [] : [{ path, type: state.type }]))
  const shape = findRepositoryShape(
    changedPaths,
    shapeTree(createView(root, createStaging())),
    shapeTree(createView(root, staging)),
    { restores },
  )
  if (shape) throw refusedShape(shape, 'Nothing is changed')
}

/** Returns a view's tree, links not followed. */
export function shapeTree(view: View): ShapeTree {
  const at = <T>(path: string, use: (look: Look) => T, absent: T): T =>
    view.look(path, { link: true }, look => (look.located.rel === path ? use(look) : absent))
  return {
    names: directory =>
      at(directory, look => (look.type === 'directory' ? view.children(look).map(({ name }) => name) : []), []),
    type: path => at(path, ({ type }): string => type, 'absent'),
    bytes: path => at(path, look => bytesAt(view, look), undefined),
  }
}

function bytesAt(view: View, look: Look): Buffer | undefined {
  if (look.seen.type === 'file') return view.bytes(look.seen)
  if (look.seen.type !== 'disk' || !look.seen.stats.isFile() || look.seen.stats.size > BigInt(MOST_BYTES))
    return undefined
  const base = view.base(look)
  return base.type === 'file' ? view.bytesOnDisk(look.located.rel, base.identity) : undefined
}

/** `outcome`: the fate of the changes, in words. */
export function refusedShape({ directory, followed }: RefusedShape, outcome: string): ToolError {
  const place = directory === '.' ? 'the workspace itself' : show(directory)
  if (followed !== undefined)
    return new ToolError(
      'denied',
      `${outcome}: git follows ${show(followed)} in the repository ${place}, and may run what it names`,
      {
        hint: 'Other files of that repository can be changed; have a person change this one.',
        details: { path: followed },
      },
    )
  return new ToolError(
    'denied',
    `${outcome}: ${place} would be left in the shape of a bare git repository, whose configuration git would follow`,
    {
      hint: 'Give HEAD, config, objects and refs other names, or have a command make the repository in /tmp.',
      details: { path: directory },
    },
  )
}
