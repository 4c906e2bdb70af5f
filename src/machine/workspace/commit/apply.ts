import type { BigIntStats } from 'node:fs'
import { errnoOf } from '../disk-error.ts'
import { identityOf, permissionsOf, sameIdentity } from '../identity.ts'
import type { Step } from './intent.ts'
import { parentOf, isRepositoryPath } from '../path.ts'
import { repositoryOrder } from '../repository-path.ts'
import { commitError, conflict, reachable, type Site } from './site.ts'
import type { Name } from '../sys.ts'
import type { Identity } from '../workspace.ts'

/**
 * Carries out an intent from any point at which it stopped: each step checks whether it is already done.
 *
 * A file to be replaced, deleted or moved is first moved to `x<i>` and checked there; only then is the new one linked
 * to the free name. So no edit can be overwritten: the moved file is known to be theirs or ours, and a file that
 * appears at the name in the meantime makes the link fail. The price is that the name is absent for a moment. (Renaming
 * over the target has no such moment, but loses a file that another program renames there just before. Node has no
 * renameat2, which could exchange the two.) Hard links to the old content are not needed: a rename is atomic, so the
 * content always has a name.
 *
 * First all removals, then all additions: names can be swapped, and a file can replace a directory. Only what git may
 * still read goes last.
 */
export function apply(site: Site, steps: readonly Step[]): void {
  const isLast = goesLast(steps)
  remove(site, steps, step => !isLast(step))
  for (const [index, step] of deepestFirst(steps).toReversed())
    if (step.kind === 'mkdir') attempt(site, step.path, () => placeDirectory(site, index, step.path))
  for (const [index, step] of [...steps.entries()].toSorted(([, a], [, b]) => orderOf(a) - orderOf(b)))
    if (step.kind === 'put') attempt(site, step.path, () => place(site, index, step))
    else if (step.kind === 'move') attempt(site, step.to, () => placeMoved(site, index, step))
    else if (step.kind === 'mode') attempt(site, step.path, () => setMode(site, step.path, step.base.ino, step.mode))
  remove(site, steps, isLast)
}

function remove(site: Site, steps: readonly Step[], isTurn: (step: Step) => boolean): void {
  for (const [index, step] of steps.entries())
    if (!isTurn(step)) continue
    else if (step.kind === 'delete') attempt(site, step.path, () => vacate(site, index, step.path, step.base))
    else if (step.kind === 'move') attempt(site, step.from, () => vacateMoved(site, index, step))
  for (const [index, step] of deepestFirst(steps))
    if (step.kind === 'rmdir' && isTurn(step)) attempt(site, step.path, () => vacateDirectory(site, index, step))
}

const orderOf = (step: Step): number => (step.kind === 'move' ? -1 : repositoryOrder(step.path))

/**
 * Returns a test for what git may still read until all else is done: objects before they are in a pack, references
 * before they are in one file. What makes room for a new name does not wait.
 */
function goesLast(steps: readonly Step[]): (step: Step) => boolean {
  const neededPaths = new Set(steps.flatMap(step => (step.kind === 'put' || step.kind === 'mkdir' ? [step.path] : [])))
  const makesRoom = (path: string): boolean => path !== '.' && (neededPaths.has(path) || makesRoom(parentOf(path)))
  return step =>
    (step.kind === 'delete' || step.kind === 'rmdir') && isRepositoryPath(step.path) && !makesRoom(step.path)
}

/** The last check before the point of no return: finds writes in place and moved directories. */
export function check(site: Site, steps: readonly Step[]): void {
  site.verify()
  for (const [index, step] of steps.entries()) if (step.kind === 'rmdir') refuseFilled(site, index, step.path)
  const [path] = changedAside(site, steps)
  if (path !== undefined) throw conflict(path, 'was changed while it was being committed')
}

/**
 * Returns the paths whose old file was written after it was moved away, by a program that had it open. After the point
 * of no return this is a warning: the undo record holds the only copy of that write.
 */
export const changedAside = (site: Site, steps: readonly Step[]): string[] =>
  [...steps.entries()].flatMap(([index, step]) => {
    if (step.kind !== 'delete' && step.kind !== 'put') return []
    if (step.base === 'absent') return []
    const old = site.sys.lstat(site.own, `x${index}`)
    return old !== undefined && sameIdentity(identityOf(old), step.base) ? [] : [step.path]
  })

/** Directories of a commit, deepest first: the order for removal; reversed, the order for creation. */
export const deepestFirst = (steps: readonly Step[]): [number, Step][] =>
  [...steps.entries()].toSorted(([, a], [, b]) => depthOf(b) - depthOf(a))

const depthOf = (step: Step): number => (step.kind === 'move' ? 0 : step.path.split('/').length)

type Put = Extract<Step, { kind: 'put' }>
type Move = Extract<Step, { kind: 'move' }>

function vacate(site: Site, index: number, path: string, base: Identity): void {
  const takenFile = takeAway(site, index, path)
  if (!sameIdentity(identityOf(takenFile), base)) throw conflict(path, 'was changed in the meantime')
}

/** Compares a directory only by inode: changes inside move along. */
function vacateMoved(site: Site, index: number, { from, to, base, directory, mode }: Move): void {
  if (directory && isMoved(site, index, from, to, base.ino)) return site.touch(from)
  const movedIdentity = identityOf(takeAway(site, index, from))
  // In a recovery the new mode may already be set.
  const expectedIdentity = directory ? movedIdentity : { ...base, mode: movedIdentity.mode === mode ? mode : base.mode }
  if (movedIdentity.ino !== base.ino || !sameIdentity(movedIdentity, expectedIdentity))
    throw conflict(from, 'was changed in the meantime')
  if (directory) site.forget(from)
}

/** Only a directory leaves no trace in the commit's directory once it is in its new place. */
const isMoved = (site: Site, index: number, from: string, to: string, ino: bigint): boolean =>
  site.sys.lstat(site.own, `x${index}`) === undefined &&
  reachable(() => inodeAt(site, from)) !== ino &&
  reachable(() => inodeAt(site, to)) === ino

/** Moves the directory away unchanged, so that a rollback restores the same directory. */
function vacateDirectory(site: Site, index: number, { path, ino }: Extract<Step, { kind: 'rmdir' }>): void {
  const takenDirectory = takeAway(site, index, path)
  site.forget(path)
  if (takenDirectory.ino !== ino || !takenDirectory.isDirectory()) throw conflict(path, 'was replaced in the meantime')
  refuseFilled(site, index, path)
}

function refuseFilled({ sys, own }: Site, index: number, path: string): void {
  const dir = sys.openDirectory(own, `x${index}`)
  try {
    if (sys.list(dir).length > 0) throw conflict(path, 'is not empty any more')
  } finally {
    sys.close(dir)
  }
}

function takeAway(site: Site, index: number, path: string): BigIntStats {
  const { sys, own } = site
  const before = site.isNew ? undefined : sys.lstat(own, `x${index}`)
  site.touch(path)
  if (before !== undefined) return before
  const { dir, name } = site.at(path)
  try {
    sys.rename(dir, name, own, `x${index}`)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw conflict(path, 'is gone')
    throw error
  }
  const after = sys.lstat(own, `x${index}`)
  if (after === undefined) throw new Error(`x${index} vanished from the commit's own directory`)
  return after
}

function place(site: Site, index: number, { path, base, made }: Put): void {
  site.touch(path)
  if (!site.isNew && inodeAt(site, path) === made.ino) return
  if (base !== 'absent') {
    if (isRepositoryPath(path) && exchange(site, index, path, base)) return
    vacate(site, index, path, base)
  }
  linkIn(site, `n${index}`, path)
}

/**
 * Replaces a file of git at once, as git itself does under the same locks: without HEAD there is no repository for a
 * moment, and git would search elsewhere. Returns false if the old file cannot be linked.
 */
function exchange({ sys, own, at }: Site, index: number, path: string, base: Identity): boolean {
  const { dir, name } = at(path)
  const [old, next] = [`x${index}`, `r${index}`]
  try {
    if (sys.lstat(own, old) === undefined) sys.link(dir, name, own, old)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw conflict(path, 'is gone')
    // Another user's file may be renamed but not linked (protected_hardlinks).
    if (errnoOf(error) === 'EPERM') return false
    throw error
  }
  const [oldFile, there] = [sys.lstat(own, old), sys.lstat(dir, name)]
  if (oldFile === undefined || there?.ino !== oldFile.ino || !sameIdentity(identityOf(oldFile), base))
    throw conflict(path, 'was changed in the meantime')
  if (sys.lstat(own, next) === undefined) sys.link(own, `n${index}`, own, next)
  sys.rename(own, next, dir, name)
  return true
}

function placeMoved(site: Site, index: number, { to, base, mode, directory }: Move): void {
  site.touch(to)
  if (inodeAt(site, to) !== base.ino)
    if (directory) renameIn(site, `x${index}`, to)
    else linkIn(site, `x${index}`, to)
  if (mode !== undefined) setMode(site, to, base.ino, mode)
}

function linkIn(site: Site, own: string, path: string): void {
  const { dir, name } = site.at(path)
  try {
    site.sys.link(site.own, own, dir, name)
  } catch (error) {
    throw occupiedError(error, path)
  }
}

/** A directory cannot be linked, but a rename replaces only an empty directory. */
function renameIn(site: Site, own: string, path: string): void {
  const { dir, name } = site.at(path)
  try {
    site.sys.rename(site.own, own, dir, name)
    site.forget(path)
  } catch (error) {
    throw occupiedError(error, path)
  }
}

function occupiedError(error: unknown, path: string): unknown {
  const errno = errnoOf(error) ?? ''
  if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR'].includes(errno)) return conflict(path, 'was created in the meantime')
  return errno === 'ENOENT' ? conflict(path, 'lies in a directory that was removed') : error
}

function setMode(site: Site, path: string, ino: bigint, mode: number): void {
  const { sys } = site
  const { dir, name } = site.at(path)
  const descriptor = holdThere(site, path, dir, name)
  try {
    const stats = sys.fstat(descriptor)
    if (stats.ino !== ino || stats.isSymbolicLink()) throw conflict(path, 'was replaced in the meantime')
    if (permissionsOf(stats) !== mode) sys.chmodHeld(descriptor, mode)
  } finally {
    sys.close(descriptor)
  }
  syncFile(site, dir, name)
  if (inodeAt(site, path) !== ino) throw conflict(path, 'was replaced in the meantime')
}

/** A mode is not a directory entry, so the directory's sync need not cover it. */
function syncFile({ sys }: Site, dir: number, name: Name): void {
  let fd: number
  try {
    fd = sys.openFile(dir, name)
  } catch (error) {
    if (['EACCES', 'ENOENT', 'ELOOP', 'ENXIO'].includes(errnoOf(error) ?? '')) return
    throw error
  }
  try {
    sys.sync(fd)
  } finally {
    sys.close(fd)
  }
}

function holdThere(site: Site, path: string, dir: number, name: Name): number {
  try {
    return site.sys.hold(dir, name)
  } catch (error) {
    throw errnoOf(error) === 'ENOENT' ? conflict(path, 'is gone') : error
  }
}

/** Accepts a directory that another program created in the meantime. */
function placeDirectory(site: Site, index: number, path: string): void {
  const { dir, name } = site.at(path)
  site.touch(path)
  if (site.sys.lstat(site.own, `n${index}`) === undefined || site.sys.lstat(dir, name)?.isDirectory()) return
  renameIn(site, `n${index}`, path)
}

function inodeAt(site: Site, path: string): bigint | undefined {
  const { dir, name } = site.at(path)
  return site.sys.lstat(dir, name)?.ino
}

/** A link or rename across mounts fails with EXDEV; the directory identifies the mount. */
function attempt(site: Site, path: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    throw commitError(error, path, errnoOf(error) === 'EXDEV' ? site.at(path).dir : undefined)
  }
}
