import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
  type BigIntStats,
} from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { nameFromBytes, nameToBytes } from '../../workspace/name.ts'
import { join } from '../../workspace/path.ts'
import type { Root } from '../../workspace/root.ts'
import type { Staging } from '../../workspace/staging.ts'
import { createView, type Look } from '../../workspace/view.ts'
import { layerPath } from './layer-path.ts'
import type { Layer } from './layer.ts'
import type { LayerChange } from './layer-change.ts'
import { permissionsOfChange } from './refuse-special.ts'

export interface CopiedTree {
  /** Returns the command's changes in the copy. */
  read(): LayerChange[]
}

interface Copied {
  readonly type: 'file' | 'directory' | 'symlink'
  readonly ino: bigint
  readonly ctimeNs: bigint
}

const MOST_BYTES = 2 * 1024 ** 3

/** Copies the staged workspace into an empty directory of ours. Used if no overlay can be mounted. */
export function copyTree(
  root: Root,
  staging: Staging,
  copy: string,
  layer: Layer,
  options: { readonly hidden: (path: string) => boolean; readonly maxBytes?: number },
): CopiedTree {
  const view = createView(root, staging)
  const copies = new Map<string, Copied>()
  const closedDirectories: [Buffer, number][] = []
  let bytes = 0
  copyBelow('.')
  for (const [place, mode] of closedDirectories) chmodSync(place, mode)
  remember('.')
  return { read: () => changesIn(layer, copies, options.hidden) }

  function copyBelow(directory: string): void {
    for (const entry of view.look(directory, { link: true }, look => view.children(look)))
      view.look(entry.path, { link: true }, look => copyOne(entry.path, look))
  }

  function copyOne(path: string, look: Look): void {
    const { located, seen, type } = look
    const place = layerPath(copy, path)
    if (type === 'directory') {
      mkdirSync(place)
      closedDirectories.unshift([
        place,
        seen.type === 'disk' ? Number(seen.stats.mode & 0o7777n) : 'mode' in seen ? seen.mode : 0o755,
      ])
      if (!options.hidden(path)) copyBelow(path)
    } else if (type === 'file' && options.hidden(path)) writeFileSync(place, '')
    else if (type === 'file') {
      if (seen.type === 'file') writeFileSync(place, view.bytes(seen))
      else
        copyFileSync(
          Buffer.concat([Buffer.from(`/proc/self/fd/${located.dir}/`), bytesOfName(located.name)]),
          place,
          constants.COPYFILE_FICLONE,
        )
      const stats = lstatSync(place)
      if ((bytes += stats.size) > (options.maxBytes ?? MOST_BYTES)) throw tooLarge()
      chmodSync(place, seen.type === 'disk' ? Number(seen.stats.mode & 0o7777n) : 'mode' in seen ? seen.mode : 0o644)
    } else if (type === 'symlink') {
      const target =
        seen.type === 'symlink'
          ? (nameToBytes(seen.target) ?? seen.target)
          : root.sys.readlink(located.dir, bytesOfName(located.name))
      symlinkSync(target, place)
    } else return
    if (process.getuid?.() === 0 && type !== 'symlink') {
      const owner = seen.type === 'disk' ? seen.stats : root.sys.fstat(root.fd)
      chownSync(place, Number(owner.uid), Number(owner.gid))
    }
  }

  /** Records the state before the command. The change time, which no program can set, later shows what was touched. */
  function remember(directory: string): void {
    for (const name of layer.names(directory)) {
      const path = join(directory, name)
      const stats = layer.stats(path)
      const type = typeOf(stats)
      if (type === undefined) continue
      copies.set(path, { type, ino: stats.ino, ctimeNs: stats.ctimeNs })
      if (type === 'directory') remember(path)
    }
  }
}

function changesIn(copy: Layer, left: ReadonlyMap<string, Copied>, hidden: (path: string) => boolean): LayerChange[] {
  const changes: LayerChange[] = []
  const seenPaths = new Set<string>()
  descend('.', false)
  for (const [path, { type }] of [...left].toReversed())
    if (!seenPaths.has(path) && !hidden(path)) changes.push({ type: 'absent', path, fresh: false, was: type })
  return changes

  function descend(directory: string, fresh: boolean): void {
    for (const name of copy.names(directory)) {
      const path = join(directory, name)
      if (hidden(path)) {
        seenPaths.add(path)
        continue
      }
      const stats = copy.stats(path)
      const mode = permissionsOfChange(path, stats)
      const before = left.get(path)
      const type = typeOf(stats)
      if (before?.type === 'directory' || type !== undefined) seenPaths.add(path)
      if (type === 'directory') {
        if (before?.type !== 'directory') changes.push({ type, path, fresh, mode })
        descend(path, fresh || before?.type !== 'directory')
      } else if (before?.type !== type || before?.ino !== stats.ino || before.ctimeNs !== stats.ctimeNs) {
        if (type === 'file')
          changes.push({ type, path, fresh, mode, size: Number(stats.size), at: { layer: copy, path } })
        else if (type === 'symlink') changes.push({ type, path, fresh, target: nameFromBytes(copy.target(path)) })
      }
    }
  }
}

const bytesOfName = (name: string | undefined): Buffer => nameToBytes(name ?? '') ?? Buffer.from(name ?? '')

const typeOf = (stats: BigIntStats): Copied['type'] | undefined => {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'directory'
  return stats.isSymbolicLink() ? 'symlink' : undefined
}

const tooLarge = (): ToolError =>
  new ToolError(
    'unavailable',
    'The command cannot run here: no overlay can be mounted, and the workspace is too large to be copied',
    { hint: 'toolwright doctor says what an overlay needs; a smaller directory can be opened as the workspace' },
  )
