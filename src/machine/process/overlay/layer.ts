import { ToolError } from '../../../kernel/error.ts'
import { errnoOf } from '../../workspace/disk-error.ts'
import { nameFromBytes, onDisk } from '../../workspace/name.ts'
import { ensureFewNames, show } from '../../workspace/path.ts'
import { holdDirectory, type Name, type Sys } from '../../workspace/sys.ts'
import type { BigIntStats } from 'node:fs'

/** A file of a layer. */
export interface LayerFile {
  readonly layer: Layer
  /** Relative to the layer's root, as in the workspace. */
  readonly path: string
}

/**
 * A directory of ours with a command's changes. Reaches every name through held directories, one by one, and follows no
 * link. Read it only after the command and its children have ended.
 */
export interface Layer {
  /** Descriptor of the root, for programs that take a directory. */
  readonly fd: number
  /** Stats of the entry itself, links not followed. */
  stats(path: string): BigIntStats
  names(directory: string): string[]
  target(path: string): Buffer
  /** Opens a regular file for reading. Restores our read permission if the command removed it. */
  open(path: string): number
  bytes(path: string): Buffer
  /** Replaces a file's bytes and preserves its owner. */
  replace(path: string, bytes: Buffer): void
  /** Calls `act` with the held parent directory of a path and the name in it. */
  at<T>(path: string, act: (dir: number, name: Name) => T): T
  close(): void
}

export function openLayer(sys: Sys, directory: string): Layer {
  const root = holdDirectory(directory)
  let isOpen = true
  const isRoot = process.getuid?.() === 0
  /** Cached way to the last directory, since the next one is usually the same or near. */
  let way: { readonly name: string; readonly fd: number }[] = []
  const layer: Layer = {
    fd: root,
    stats(path) {
      if (path === '.') return sys.fstat(root)
      const stats = layer.at(path, sys.lstat)
      if (stats === undefined) throw replacedWhileRead(path)
      return stats
    },
    names: path => sys.list(hold(path)).map(nameFromBytes),
    target: path => layer.at(path, sys.readlink),
    open: path =>
      layer.at(path, (dir, name) => {
        const fd = openFile(sys, dir, name)
        if (sys.fstat(fd).isFile()) return fd
        sys.close(fd)
        throw replacedWhileRead(path)
      }),
    bytes(path) {
      const fd = layer.open(path)
      try {
        return readWhole(sys, fd)
      } finally {
        sys.close(fd)
      }
    },
    replace(path, bytes) {
      const { uid, gid } = layer.stats(path)
      layer.at(path, (dir, name) => {
        sys.unlink(dir, name)
        const fd = sys.createFile(dir, name, 0o600)
        try {
          for (let offset = 0; offset < bytes.length;) offset += sys.write(fd, bytes, offset)
          if (isRoot) sys.chown(fd, Number(uid), Number(gid))
        } finally {
          sys.close(fd)
        }
      })
    },
    at(path, act) {
      const slash = path.lastIndexOf('/')
      return act(hold(slash < 0 ? '.' : path.slice(0, slash)), onDisk(path.slice(slash + 1)))
    },
    close() {
      leave(0)
      if (isOpen) sys.close(root)
      isOpen = false
    },
  }
  return layer

  function hold(directory_: string): number {
    const names = directory_ === '.' ? [] : directory_.split('/')
    ensureFewNames(directory_, names)
    const common = names.findIndex((name, depth) => way[depth]?.name !== name)
    leave(common < 0 ? names.length : common)
    if (way.length === 0) reopen(root)
    for (const name of names.slice(way.length)) {
      const fd = sys.openDirectory(way.at(-1)?.fd ?? root, onDisk(name))
      way.push({ name, fd })
      reopen(fd)
    }
    return way.at(-1)?.fd ?? root
  }

  /** Restores permissions that the command removed from its directory. */
  function reopen(fd: number): void {
    if (!isRoot && (sys.fstat(fd).mode & 0o500n) !== 0o500n) sys.chmodHeld(fd, 0o700)
  }

  function leave(depth: number): void {
    for (const { fd } of way.slice(depth)) sys.close(fd)
    way = way.slice(0, depth)
  }
}

function openFile(sys: Sys, dir: number, name: Name): number {
  try {
    return sys.openFile(dir, name)
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error
    const handle = sys.hold(dir, name)
    try {
      if (sys.fstat(handle).isFile()) sys.chmodHeld(handle, 0o600)
    } finally {
      sys.close(handle)
    }
    return sys.openFile(dir, name)
  }
}

function readWhole(sys: Sys, fd: number): Buffer {
  const bytes = Buffer.allocUnsafe(Number(sys.fstat(fd).size))
  let bytesRead = 0
  while (bytesRead < bytes.length) {
    const length = sys.read(fd, bytes, bytesRead, bytes.length - bytesRead, bytesRead)
    if (length === 0) break
    bytesRead += length
  }
  return bytes.subarray(0, bytesRead)
}

const replacedWhileRead = (path: string): ToolError =>
  new ToolError('conflict', `${show(path)} was replaced while the result of the command was read`, {
    hint: 'All changes of the command were discarded. Run it again.',
    details: { path },
  })
