import type { BigIntStats } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { diskError } from './disk-error.ts'
import { capture, readWhole, type DiskState } from './disk.ts'
import { permissionsOf, sameIdentity } from './identity.ts'
import { nameFromBytes, onDisk } from './name.ts'
import { join, parentOf, show } from './path.ts'
import type { ResolvedPath, Overlay } from './resolved-path.ts'
import type { Root } from './root.ts'
import type { DiskFile, NewFile, State } from './staged.ts'
import type { Staging } from './staging.ts'
import type { Entry, Identity } from './workspace.ts'

/** Meaning of a name in the staged workspace: a staged state, or the disk's. */
type Seen = State | { readonly type: 'disk'; readonly stats: BigIntStats }

export interface Look {
  readonly located: ResolvedPath
  readonly seen: Seen
  readonly type: Entry['type'] | 'absent'
}

/** The workspace as it would be after a commit: the disk with the staged changes over it. */
export interface View {
  /** Resolves a path and passes it to `use`, while its directory is held. */
  look<T>(path: string, options: { readonly link?: boolean }, use: (look: Look) => T): T
  /** Returns the state on disk at a place to be staged. */
  base(look: Look): DiskState
  /** Returns the bytes of a staged file. */
  bytes(state: NewFile | DiskFile): Buffer
  /** Returns the bytes on disk at a canonical path. Throws `conflict` if it is no longer this file. */
  bytesOnDisk(path: string, identity: Identity): Buffer
  children(look: Look): Entry[]
  /** Lists without sizes and times, which would require a stat of each entry. */
  names(look: Look): Listed[]
}

export type Listed = Pick<Entry, 'path' | 'name' | 'type'>

export function createView(root: Root, staging: Staging): View {
  const overlay: Overlay = rel => {
    const state = staging.get(rel)?.state
    return state?.type === 'symlink' ? { target: state.target } : state?.type
  }

  const view: View = {
    look(path, { link = false }, use) {
      const location = root.resolve(path, staging.isEmpty() ? { link } : { link, overlay })
      try {
        const nodeState = seenAt(location)
        return use({ located: location, seen: nodeState, type: typeOf(nodeState) })
      } catch (error) {
        throw diskError(error, location.rel)
      } finally {
        location.release()
      }
    },
    base: ({ located }) => staging.get(located.rel)?.base ?? capture(root, located),
    bytes: state => ('bytes' in state ? state.bytes : view.bytesOnDisk(state.source, state.identity)),
    bytesOnDisk(path, identity) {
      const location = root.resolve(path, { link: true })
      try {
        const read = location.rel === path && location.stats !== undefined ? readWhole(root, location) : undefined
        if (read !== undefined && sameIdentity(read.identity, identity)) return read.bytes
      } finally {
        location.release()
      }
      throw new ToolError('conflict', `${show(path)} changed after a change to it was staged`, {
        hint: 'Look at the file again, then repeat the change.',
      })
    },
    children: look => withStaged(look, onDiskBelow(look, entriesIn)),
    names: look => withStaged(look, onDiskBelow(look, namesIn)),
  }
  return view

  /** Merges a directory's entries on disk with staged ones, sorted by name. */
  function withStaged<T extends Listed>({ located: { rel } }: Look, found: readonly (T | Entry)[]): (T | Entry)[] {
    const byName = (a: Listed, b: Listed) => (a.name < b.name ? -1 : 1)
    if (staging.isEmpty()) return found.toSorted(byName)
    const entries = new Map(found.map(entry => [entry.name, entry]))
    for (const [path, { state }] of staging.entries()) {
      if (parentOf(path) !== rel) continue
      const name = path.slice(path.lastIndexOf('/') + 1)
      const entry = entryOf(path, state)
      if (entry === undefined) entries.delete(name)
      else entries.set(name, entry)
    }
    return [...entries.values()].toSorted(byName)
  }

  function seenAt({ rel, name, stats }: ResolvedPath): Seen {
    const stagedState = staging.isEmpty() ? undefined : staging.get(rel)?.state
    if (stagedState !== undefined) return stagedState
    if (name === undefined) return { type: 'disk', stats: root.sys.fstat(root.fd) }
    return stats === undefined ? { type: 'absent' } : { type: 'disk', stats }
  }

  function onDiskBelow<T>({ located }: Look, read: (fd: number, rel: string) => T[]): T[] {
    const { dir, name, rel, stats } = located
    if (name !== undefined && !stats?.isDirectory()) return []
    const { sys } = root
    const fd = name === undefined ? root.fd : sys.openDirectory(dir, onDisk(name))
    try {
      return read(fd, rel)
    } finally {
      if (fd !== root.fd) sys.close(fd)
    }
  }

  function entriesIn(fd: number, rel: string): Entry[] {
    return root.sys.list(fd).flatMap(bytes => {
      const child = root.sys.lstat(fd, bytes)
      // An entry that vanished between the listing and the stat is skipped.
      return child === undefined ? [] : (entryOf(join(rel, nameFromBytes(bytes)), { type: 'disk', stats: child }) ?? [])
    })
  }

  function namesIn(fd: number, rel: string): Listed[] {
    return root.sys.listTypes(fd).map(child => {
      const name = typeof child.name === 'string' ? child.name : nameFromBytes(child.name)
      return { path: join(rel, name), name, type: typeOfStats(child) }
    })
  }
}

/** Returns the entry for a listing or `stat`, or undefined if nothing exists. */
export function entryOf(path: string, nodeState: Seen): Entry | undefined {
  const type = typeOf(nodeState)
  if (type === 'absent') return undefined
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (nodeState.type === 'disk')
    return {
      path,
      name,
      type,
      size: Number(nodeState.stats.size),
      mode: permissionsOf(nodeState.stats),
      mtimeMs: Number(nodeState.stats.mtimeMs),
    }
  const keptIdentity = 'identity' in nodeState ? nodeState.identity : undefined
  const size = 'bytes' in nodeState ? nodeState.bytes.length : Number(keptIdentity?.size ?? 0n)
  const mode = 'mode' in nodeState ? nodeState.mode : 0o777
  const mtimeMs = 'bytes' in nodeState ? (nodeState.stagedMs ?? 0) : Number((keptIdentity?.mtimeNs ?? 0n) / 1_000_000n)
  return { path, name, type, size, mode, mtimeMs }
}

function typeOf(seen: Seen): Entry['type'] | 'absent' {
  if (seen.type !== 'disk') return seen.type
  return typeOfStats(seen.stats)
}

function typeOfStats(stats: Pick<BigIntStats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Entry['type'] {
  return stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : 'other'
}
