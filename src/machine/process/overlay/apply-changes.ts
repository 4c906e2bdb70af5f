import { randomBytes } from 'node:crypto'
import { closeSync, fchmodSync, fchownSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import { errnoOf } from '../../workspace/disk-error.ts'
import type { ResolvedPath } from '../../workspace/resolved-path.ts'
import { nameToBytes, onDisk } from '../../workspace/name.ts'
import { parentOf, show } from '../../workspace/path.ts'
import type { Root } from '../../workspace/root.ts'
import type { LayerChange, ChangedFile } from './layer-change.ts'
import type { LayerFile } from './layer.ts'

interface Applied {
  /** Paths that were changed. */
  readonly done: readonly string[]
  /** Failures, in words. */
  readonly warnings: readonly string[]
}

interface ApplyOptions {
  readonly isOvertaken?: (stats: ResolvedPath['stats']) => boolean
  /** Names a file on its way, so that one that a crash left is found again. */
  readonly mark?: string
}

/**
 * Applies a command's changes to unstaged paths at once, without undo. Reaches every name through held directories and
 * follows no link. Reports a failure and continues with the rest.
 */
export function applyChanges(
  root: Root,
  changes: readonly LayerChange[],
  { isOvertaken = () => false, mark = randomBytes(8).toString('hex') }: ApplyOptions = {},
): Applied {
  const { sys } = root
  const temporary = `.toolwright-${mark}`
  const appliedPaths: string[] = []
  const warnings: string[] = []
  const deepest = (a: LayerChange, b: LayerChange) => depthOf(b.path) - depthOf(a.path)
  const deletions = changes.filter(one => one.type === 'absent')
  for (const one of deletions.filter(({ was }) => was !== 'directory')) attempt(one, place => unlink(root, place))
  for (const one of deletions.filter(({ was }) => was === 'directory').toSorted(deepest))
    attempt(one, place => removeDirectory(root, place))
  for (const one of changes.filter(({ type }) => type === 'directory').toSorted((a, b) => deepest(b, a)))
    attempt(one, place => {
      if (place.stats?.isDirectory()) return
      if (place.stats) unlink(root, place)
      sys.mkdir(place.dir, nameOf(place), one.type === 'directory' ? one.mode : 0o755)
      chownLikeRoot(root, place)
    })
  for (const one of changes)
    if (one.type === 'file') attempt(one, place => putFile(root, place, one, temporary))
    else if (one.type === 'symlink') attempt(one, place => putLink(root, place, one.target, temporary))
  return { done: appliedPaths, warnings }

  function attempt(one: LayerChange, act: (place: ResolvedPath) => void): void {
    try {
      if (one.type !== 'absent') makeParents(root, parentOf(one.path))
      const place = root.resolve(one.path, { link: true })
      try {
        if (place.rel !== one.path || place.missing.length > 0)
          warnings.push(`${show(one.path)} was not changed: a link or nothing is on the way to it`)
        else if (isOvertaken(place.stats))
          warnings.push(`${show(one.path)} was not changed: another program changed it in the meantime`)
        else {
          act(place)
          appliedPaths.push(one.path)
        }
      } finally {
        place.release()
      }
    } catch (error) {
      warnings.push(`${show(one.path)} was not changed: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
}

/** An unstaged change needs its directory on disk, even if that directory is only staged so far. */
function makeParents(root: Root, path: string): void {
  if (path === '.') return
  const place = root.resolve(path, { link: true })
  try {
    if (place.stats?.isDirectory() || place.rel !== path) return
    if (place.missing.length > 0) makeParents(root, parentOf(path))
    else if (place.stats === undefined) {
      root.sys.mkdir(place.dir, nameOf(place), 0o755)
      chownLikeRoot(root, place)
      return
    } else return
  } finally {
    place.release()
  }
  makeParents(root, path)
}

function unlink(root: Root, place: ResolvedPath): void {
  if (place.stats === undefined) return
  if (place.stats.isDirectory()) return removeDirectory(root, place)
  root.sys.unlink(place.dir, nameOf(place))
}

function removeDirectory(root: Root, place: ResolvedPath): void {
  if (place.stats?.isDirectory()) root.sys.rmdir(place.dir, nameOf(place))
}

function putLink(root: Root, place: ResolvedPath, target: string, temporary: string): void {
  removeDirectory(root, place)
  removeLeft(root, place, temporary)
  root.sys.symlink(nameToBytes(target) ?? Buffer.from(target), place.dir, temporary)
  settle(root, place, temporary)
}

/** Moves a new file in as it is. An existing file carries overlay attributes, so its new bytes go into a new file. */
function putFile(root: Root, place: ResolvedPath, one: ChangedFile, temporary: string): void {
  removeLeft(root, place, temporary)
  if (place.stats?.isDirectory()) removeDirectory(root, place)
  if (place.stats === undefined && moveFile(root, place, one)) return
  const { uid, gid } = one.at.layer.stats(one.at.path)
  const fd = root.sys.createFile(place.dir, temporary, 0o600)
  try {
    copyBytes(one.at, fd)
    if (process.getuid?.() === 0) fchownSync(fd, Number(uid), Number(gid))
    fchmodSync(fd, one.mode)
  } catch (error) {
    root.sys.unlink(place.dir, temporary)
    throw error
  } finally {
    closeSync(fd)
  }
  settle(root, place, temporary)
  // A crash after this finds it done.
  one.at.layer.at(one.at.path, root.sys.unlink)
}

/** Removes a file that a crash left on its way. */
function removeLeft({ sys }: Root, { dir }: ResolvedPath, temporary: string): void {
  if (sys.lstat(dir, temporary) !== undefined) sys.unlink(dir, temporary)
}

function moveFile(root: Root, place: ResolvedPath, { at }: ChangedFile): boolean {
  try {
    at.layer.at(at.path, (from, name) => root.sys.rename(from, name, place.dir, nameOf(place)))
    return true
  } catch (error) {
    if (errnoOf(error) === 'EXDEV') return false
    throw error
  }
}

function settle(root: Root, { dir, ...place }: ResolvedPath, temporary: string): void {
  try {
    root.sys.rename(dir, temporary, dir, nameOf(place))
  } catch (error) {
    root.sys.unlink(dir, temporary)
    throw error
  }
}

function chownLikeRoot(root: Root, place: ResolvedPath): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = root.sys.fstat(root.fd)
  const fd = root.sys.openFile(place.dir, nameOf(place))
  try {
    if (root.sys.fstat(fd).isDirectory()) root.sys.chown(fd, Number(uid), Number(gid))
  } finally {
    root.sys.close(fd)
  }
}

const nameOf = ({ name }: { readonly name: string | undefined }): string | Buffer => onDisk(name ?? '')

const depthOf = (path: string): number => path.split('/').length

const PIECE = 1024 ** 2

/**
 * Copies a command's file into an open, empty file piece by piece, because it may exceed our memory. Holes stay holes.
 */
function copyBytes({ layer, path }: LayerFile, to: number): void {
  const source = layer.open(path)
  try {
    const piece = Buffer.allocUnsafe(PIECE)
    const zeros = Buffer.alloc(PIECE)
    let at = 0
    for (;;) {
      const length = readSync(source, piece, 0, PIECE, at)
      if (length === 0) break
      if (piece.compare(zeros, 0, length, 0, length) !== 0)
        for (let offset = 0; offset < length;) offset += writeSync(to, piece, offset, length - offset, at + offset)
      at += length
    }
    ftruncateSync(to, at)
  } finally {
    closeSync(source)
  }
}
