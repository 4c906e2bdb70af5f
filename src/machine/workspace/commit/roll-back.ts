import type { BigIntStats } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { deepestFirst } from './apply.ts'
import { errnoOf } from '../disk-error.ts'
import { identityOf, permissionsOf, sameIdentity } from '../identity.ts'
import type { Step } from './intent.ts'
import { commitError, type Site } from './site.ts'
import type { Name } from '../sys.ts'

type Put = Extract<Step, { kind: 'put' }>
type Move = Extract<Step, { kind: 'move' }>

/**
 * Reverses `apply`, from any point at which either stopped. If another program changed a file in the meantime, theirs
 * stays and ours is set aside: returns its name for each such path.
 */
export function rollBack(site: Site, steps: readonly Step[]): Map<string, string> {
  const keptContents = new Map<string, string>()
  const attempt = (path: string, mine: string, work: () => string | undefined): void => {
    try {
      const keptName = work()
      if (keptName !== undefined) keptContents.set(path, keptName)
    } catch (error) {
      // Its directory is gone: the moved file stays where it is.
      if (!(error instanceof ToolError && error.code === 'conflict')) throw commitError(error, path)
      if (site.sys.lstat(site.own, mine) !== undefined) keptContents.set(path, mine)
    }
  }
  for (const [index, step] of [...steps.entries()].toReversed())
    if (step.kind === 'put') attempt(step.path, `x${index}`, () => unplace(site, index, step))
    else if (step.kind === 'move') attempt(step.to, `y${index}`, () => unplaceMoved(site, index, step))
    else if (step.kind === 'mode') attempt(step.path, `y${index}`, () => unsetMode(site, step))
  for (const [index, step] of deepestFirst(steps))
    if (step.kind === 'mkdir') attempt(step.path, `y${index}`, () => removeMade(site, step))
  for (const [index, step] of deepestFirst(steps).toReversed())
    if (step.kind === 'rmdir') attempt(step.path, `x${index}`, () => putBack(site, `x${index}`, step.path))
  for (const [index, step] of [...steps.entries()].toReversed())
    if (step.kind === 'delete') attempt(step.path, `x${index}`, () => putBack(site, `x${index}`, step.path))
    else if (step.kind === 'move') attempt(step.from, `x${index}`, () => putBack(site, `x${index}`, step.from))
  return keptContents
}

function unplace(site: Site, index: number, step: Put): string | undefined {
  const mine = `y${index}`
  const takenFile = takeAside(site, mine, step.path, step.made.ino)
  const theirs = takenFile !== undefined && !sameIdentity(identityOf(takenFile), step.made)
  // Another program replaced or wrote the new file: theirs stays, and the old one is set aside.
  if (theirs && putBack(site, mine, step.path) !== undefined) return mine
  return step.base === 'absent' ? undefined : putBack(site, `x${index}`, step.path)
}

/**
 * Moves a name's file away if it is ours. Returns the file that was really moved, since another program may have
 * replaced it just before.
 */
function takeAside(site: Site, mine: string, path: string, ino: bigint): BigIntStats | undefined {
  const { sys, own } = site
  site.touch(path)
  const before = sys.lstat(own, mine)
  if (before !== undefined) return before
  const { dir, name } = site.at(path)
  if (sys.lstat(dir, name)?.ino !== ino) return undefined
  try {
    sys.rename(dir, name, own, mine)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw error
  }
  return sys.lstat(own, mine)
}

/**
 * Moves a file back to its name. If another program's file has the name now, returns the name under which ours stays.
 */
function putBack(site: Site, mine: string, path: string): string | undefined {
  const { sys, own } = site
  const ownFile = sys.lstat(own, mine)
  if (ownFile === undefined) return undefined
  site.touch(path)
  const { dir, name } = site.at(path)
  if (sys.lstat(dir, name)?.ino === ownFile.ino) return undefined
  try {
    if (ownFile.isDirectory()) sys.rename(own, mine, dir, name)
    else linkBack(site, mine, dir, name)
    return undefined
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EISDIR'].includes(errnoOf(error) ?? '')) return mine
    throw error
  }
}

function linkBack({ sys, own }: Site, mine: string, dir: number, name: Name): void {
  try {
    sys.link(own, mine, dir, name)
  } catch (error) {
    // Another user's file may be renamed but not linked (protected_hardlinks).
    if (errnoOf(error) !== 'EPERM' || sys.lstat(dir, name) !== undefined) throw error
    sys.rename(own, mine, dir, name)
  }
}

function unplaceMoved(site: Site, index: number, { from, to, base, mode, directory }: Move): string | undefined {
  const { sys, own } = site
  if (directory) return unplaceDirectory(site, index, from, to, base.ino)
  const takenFile = takeAside(site, `y${index}`, to, base.ino)
  if (takenFile !== undefined && takenFile.ino !== base.ino && putBack(site, `y${index}`, to) !== undefined)
    return `y${index}`
  const away = mode === undefined ? undefined : sys.lstat(own, `x${index}`)
  if (away?.ino === base.ino && permissionsOf(away) === mode) restoreMode(site, own, `x${index}`, base.mode)
  return undefined
}

/** A directory has only one place: it returns to `x<i>`, and from there to its old name if that is free. */
function unplaceDirectory(site: Site, index: number, from: string, to: string, ino: bigint): undefined {
  const [here, old] = [site.at(to), site.at(from)]
  if (site.sys.lstat(here.dir, here.name)?.ino !== ino) return
  if (site.sys.lstat(old.dir, old.name) !== undefined) return
  site.touch(to)
  site.sys.rename(here.dir, here.name, site.own, `x${index}`)
  site.forget(to)
}

function unsetMode(site: Site, { path, mode, base }: Extract<Step, { kind: 'mode' }>): undefined {
  const { dir, name } = site.at(path)
  const stats = site.sys.lstat(dir, name)
  if (stats?.ino === base.ino && permissionsOf(stats) === mode) restoreMode(site, dir, name, base.mode)
}

function restoreMode({ sys }: Site, dir: number, name: Name, mode: number): void {
  const descriptor = sys.hold(dir, name)
  try {
    if (!sys.fstat(descriptor).isSymbolicLink()) sys.chmodHeld(descriptor, mode)
  } finally {
    sys.close(descriptor)
  }
}

/** Leaves a directory that another program has put something into. */
function removeMade(site: Site, { path, ino }: Extract<Step, { kind: 'mkdir' }>): undefined {
  const { dir, name } = site.at(path)
  if (site.sys.lstat(dir, name)?.ino !== ino) return
  site.touch(path)
  site.forget(path)
  try {
    site.sys.rmdir(dir, name)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'].includes(errnoOf(error) ?? '')) throw error
  }
}
