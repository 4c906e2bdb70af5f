import { sideOf } from '../../workspace/changes.ts'
import type { FileSide } from '../../workspace/diff/diff.ts'
import { nameToBytes } from '../../workspace/name.ts'
import type { Look, View } from '../../workspace/view.ts'
import type { LayerChange } from './layer-change.ts'
import { bytesOf } from './stage-changes.ts'

/** Returns the workspace's files and links as a command left them. */
export function filesAfter(changes: readonly LayerChange[], view: View): (path: string) => FileSide | undefined {
  const changesByPath = new Map(changes.map(one => [one.path, one]))
  return path => {
    const one = changesByPath.get(path)
    if (one?.type === 'file') return { bytes: bytesOf(one), mode: one.mode }
    if (one?.type === 'symlink')
      return { bytes: nameToBytes(one.target) ?? Buffer.from(one.target), mode: 0o777, link: true }
    return one ? undefined : view.look(path, { link: true }, look => fileIn(view, path, look))
  }
}

function fileIn(view: View, path: string, look: Look): FileSide | undefined {
  if (look.located.rel !== path || (look.type !== 'file' && look.type !== 'symlink')) return undefined
  return sideOf(view, path, look.seen.type === 'disk' ? view.base(look) : look.seen)
}
