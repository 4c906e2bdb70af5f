import { createHash, hash as hashOnce } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { isLikeReference } from '../../kernel/reference.ts'
import { diskError, errnoOf } from './disk-error.ts'
import { identityOf, sameIdentity } from './identity.ts'
import { nameFromBytes, onDisk } from './name.ts'
import { show } from './path.ts'
import type { ResolvedPath } from './resolved-path.ts'
import type { Root } from './root.ts'
import type { Name, Sys } from './sys.ts'
import type { Identity } from './workspace.ts'

/** State of a name on disk, with enough to detect later changes. */
export type DiskState =
  | { readonly type: 'absent' }
  | { readonly type: 'directory' }
  | { readonly type: 'file'; readonly identity: Identity; readonly hash: string; readonly bytes?: Buffer }
  | { readonly type: 'symlink'; readonly identity: Identity; readonly target: string }

/** Files up to this size stay in memory once read, so that a diff is possible after they are gone. */
const KEPT = 1 << 20
/** Larger files are not read in one piece. */
const LARGEST = 2 ** 31 - 1
const PIECE = 1 << 20

/** sha256 in hex, as for every file hash in this program. */
export const hashOf = (bytes: Buffer): string => hashOnce('sha256', bytes, 'hex')

export interface OpenedFile {
  readonly fd: number
  readonly stats: BigIntStats
}

/** Opens a located regular file; nothing else is ever opened. */
export function openRegular(root: Root, location: ResolvedPath): OpenedFile {
  const { dir, name, rel, stats } = location
  if (name === undefined || stats?.isDirectory()) throw isDirectory(rel)
  if (stats === undefined) throw notFound(rel)
  if (!stats.isFile()) throw isSpecial(rel)
  try {
    const fd = openSettled(root, dir, onDisk(name))
    const openStats = root.sys.fstat(fd)
    // The name may have changed between the check and the open.
    if (openStats.isFile()) return { fd, stats: openStats }
    root.sys.close(fd)
    throw isSpecial(rel)
  } catch (error) {
    throw diskError(error, rel)
  }
}

/**
 * Opens a regular file at a canonical path, name by name and following no link, without looking at it first. Returns
 * undefined if anything else is there by now.
 */
export function openSeen({ fd: root, sys }: Root, path: string): OpenedFile | undefined {
  const names = path.split('/')
  const last = names.pop() ?? ''
  let dir = root
  try {
    for (const name of names) {
      const next = sys.openDirectory(dir, onDisk(name))
      if (dir !== root) sys.close(dir)
      dir = next
    }
    const fd = sys.openFile(dir, onDisk(last))
    const stats = sys.fstat(fd)
    if (stats.isFile()) return { fd, stats }
    sys.close(fd)
  } catch {
    // The walk to the file finds out what has changed.
  } finally {
    if (dir !== root) sys.close(dir)
  }
  return undefined
}

/** A name that was there a moment ago may be missing only because a commit is replacing the file. */
function openSettled(root: Root, dir: number, name: Name): number {
  try {
    return root.sys.openFile(dir, name)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
    return root.settled(() => root.sys.openFile(dir, name))
  }
}

/** Reads a whole regular file with the identity that belongs to these bytes. */
export function readWhole(root: Root, location: ResolvedPath): { readonly bytes: Buffer; readonly identity: Identity } {
  return steady(root, location, (fd, stats) => {
    if (stats.size > LARGEST)
      throw new ToolError('too_large', `${show(location.rel)} has ${stats.size} bytes, too many to read in one piece`, {
        hint: 'Read a range of it.',
      })
    return readAll(root.sys, fd, Number(stats.size))
  })
}

/** Returns the current state on disk, read far enough to recognise it later. */
export function capture(root: Root, location: ResolvedPath): DiskState {
  const { dir, name, stats, rel } = location
  if (name === undefined || stats?.isDirectory()) return { type: 'directory' }
  if (stats === undefined) return { type: 'absent' }
  if (stats.isSymbolicLink()) {
    const target = nameFromBytes(root.sys.readlink(dir, onDisk(name)))
    return { type: 'symlink', identity: identityOf(stats), target }
  }
  if (!stats.isFile()) throw isSpecial(rel)
  if (stats.size > KEPT) {
    const { bytes, identity } = steady(root, location, fd => hashPieces(root.sys, fd))
    return { type: 'file', identity, hash: bytes }
  }
  const { bytes, identity } = readWhole(root, location)
  return { type: 'file', identity, hash: hashOf(bytes), bytes }
}

export const notFound = (rel: string): ToolError =>
  new ToolError('not_found', `${show(rel)} does not exist`, {
    hint: isLikeReference(rel) ? NO_REFERENCE : 'List the directory to see what is there.',
  })

const NO_REFERENCE =
  'A reference is ref: and at least 16 hexadecimal digits. Copy it from the end of the cut answer, or make that call again for a new one.'

export const isDirectory = (rel: string): ToolError =>
  new ToolError('not_a_file', `${show(rel)} is a directory`, { hint: 'Name a file in it, or list it.' })

export const isSpecial = (rel: string): ToolError =>
  new ToolError('not_a_file', `${show(rel)} is not a regular file`, {
    hint: 'Pipes, sockets and devices are never opened.',
  })

/** Reads until the file is the same before and after, so that bytes and identity belong together. */
function steady<T>(
  root: Root,
  located: ResolvedPath,
  read: (fd: number, stats: BigIntStats) => T,
): { bytes: T; identity: Identity } {
  const { fd, stats } = openRegular(root, located)
  try {
    let before = identityOf(stats)
    for (let attempt = 0; attempt < 3; attempt++) {
      const bytes = read(fd, attempt === 0 ? stats : root.sys.fstat(fd))
      const after = identityOf(root.sys.fstat(fd))
      if (sameIdentity(before, after)) return { bytes, identity: after }
      before = after
    }
  } catch (error) {
    throw diskError(error, located.rel)
  } finally {
    root.sys.close(fd)
  }
  throw new ToolError('conflict', `${show(located.rel)} keeps changing while it is read`, {
    hint: 'Wait until the program that writes it is done.',
  })
}

function readAll(sys: Sys, fd: number, size: number): Buffer {
  // One byte more than expected, to detect growth without another call.
  let buffer = Buffer.allocUnsafe(size + 1)
  let length = 0
  for (;;) {
    const read = sys.read(fd, buffer, length, buffer.length - length, length)
    if (read === 0) return buffer.subarray(0, length)
    length += read
    if (length <= size) continue
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(PIECE)])
  }
}

function hashPieces(sys: Sys, fd: number): string {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE)
  for (let position = 0; ;) {
    const read = sys.read(fd, piece, 0, PIECE, position)
    if (read === 0) return hash.digest('hex')
    hash.update(piece.subarray(0, read))
    position += read
  }
}
