import type { BigIntStats } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { hashOf } from '../disk.ts'
import { errnoOf } from '../disk-error.ts'
import { createWith, hashWhole } from './file-bytes.ts'
import { identityOf, permissionsOf, sameIdentity } from '../identity.ts'
import type { Step } from './intent.ts'
import { LINK_TYPE } from '../identity.ts'
import type { Operation } from '../operation.ts'
import { parentOf, show } from '../path.ts'
import { indexContent } from '../index-content.ts'
import { isIndexPath } from '../repository-path.ts'
import { commitError, conflict, type Site } from './site.ts'
import type { Identity } from '../workspace.ts'

interface Prepared {
  readonly steps: readonly Step[]
  readonly warnings: readonly string[]
}

const TYPE_MASK = 0o170000
const SET_ID = 0o6000

/**
 * Checks every target and writes every new content as `n<i>`, to be synced with the intent. Does not touch the
 * workspace: a failure leaves only the commit's own directory.
 */
export function prepare(site: Site, operations: readonly Operation[]): Prepared {
  const expectedPaths = expectations(operations)
  const warnings: string[] = []
  const steps: Step[] = []
  for (const operation of operations) {
    const path = operation.kind === 'move' ? operation.from : operation.path
    try {
      const step = prepareOne(site, steps.length, operation, expectedPaths, warnings)
      if (step !== undefined) steps.push(step)
    } catch (error) {
      throw errnoOf(error) === 'ENOENT' ? conflict(path, 'is gone') : commitError(error, path)
    }
  }
  return { steps, warnings }
}

/** Paths that other operations of the same commit free or create. */
interface Expected {
  readonly vacated: ReadonlySet<string>
  readonly made: ReadonlySet<string>
}

function expectations(operations: readonly Operation[]): Expected {
  const vacatedPaths = new Set<string>()
  const madePaths = new Set<string>()
  for (const operation of operations) {
    if (operation.kind === 'delete' || operation.kind === 'rmdir') vacatedPaths.add(operation.path)
    if (operation.kind === 'move') vacatedPaths.add(operation.from)
    if (operation.kind === 'mkdir') madePaths.add(operation.path)
    if (operation.kind === 'move') madePaths.add(operation.to)
  }
  return { vacated: vacatedPaths, made: madePaths }
}

function prepareOne(
  site: Site,
  index: number,
  operation: Operation,
  expected: Expected,
  warnings: string[],
): Step | undefined {
  switch (operation.kind) {
    case 'put': {
      const { path, mode, base, bytes, hash = hashOf(bytes) } = operation
      refuseSetId(path, mode)
      const old = base === 'absent' ? undefined : present(site, path, base)
      if (base === 'absent') refusePresent(site, path, expected)
      if (old !== undefined && old.nlink > 1n)
        warnings.push(`${show(path)} has ${old.nlink} names (hard links): the others keep the old content.`)
      const { made, ownerKept } = makeNew(site, `n${index}`, bytes, mode, old)
      if (!ownerKept) warnings.push(`${show(path)} belonged to another user or group (${old?.uid}:${old?.gid}) before.`)
      // Another operation removes the old file, so this one finds the name free.
      const content = (isIndexPath(path) ? indexContent(bytes) : undefined) ?? hash
      return { kind: 'put', path, mode, base: expected.vacated.has(path) ? 'absent' : base, made, hash: content }
    }
    case 'delete':
      present(site, operation.path, operation.base)
      return { kind: 'delete', path: operation.path, base: operation.base }
    case 'move': {
      const { from, to, base, mode } = operation
      if (mode !== undefined) refuseSetId(from, mode)
      const old = present(site, from, base, true)
      refusePresent(site, to, expected)
      if (old.isDirectory()) return { kind: 'move', from, to, base, directory: true }
      const hash = contentHash(site, from, old)
      return {
        kind: 'move',
        from,
        to,
        base,
        ...(mode === undefined ? {} : { mode }),
        ...(hash === undefined ? {} : { hash }),
      }
    }
    case 'mode': {
      const { path, mode, base } = operation
      refuseSetId(path, mode)
      if (present(site, path, base, true).isSymbolicLink()) throw notAFile(path)
      return { kind: 'mode', path, mode, base }
    }
    case 'mkdir':
      if (look(site, operation.path, expected)?.isDirectory()) return undefined
      refusePresent(site, operation.path, expected)
      return {
        kind: 'mkdir',
        path: operation.path,
        mode: operation.mode,
        ino: makeDirectory(site, `n${index}`, operation.mode),
      }
    case 'rmdir': {
      const stats = look(site, operation.path, expected)
      if (!stats?.isDirectory()) throw conflict(operation.path, 'is no directory any more')
      return { kind: 'rmdir', path: operation.path, mode: permissionsOf(stats), ino: stats.ino }
    }
  }
}

/** Returns the stats of a path, or undefined if it is missing or its directory is still to be created. */
function look(site: Site, path: string, { made }: Expected): BigIntStats | undefined {
  if (made.has(parentOf(path))) return undefined
  const { dir, name } = site.at(path)
  return site.sys.lstat(dir, name)
}

function refusePresent(site: Site, path: string, expected: Expected): void {
  const there = expected.vacated.has(path) ? undefined : look(site, path, expected)
  if (there !== undefined) throw conflict(path, 'was created in the meantime')
}

/** Returns the existing file if it is the expected one and of a restorable kind. */
function present(site: Site, path: string, base: Identity, directories = false): BigIntStats {
  const { dir, name } = site.at(path)
  const stats = site.sys.lstat(dir, name)
  if (stats === undefined) throw conflict(path, 'is gone')
  const isRestorable = stats.isFile() || stats.isSymbolicLink() || (directories && stats.isDirectory())
  if (!isRestorable) throw notAFile(path)
  if (!sameIdentity(identityOf(stats), base) && !(stats.isDirectory() && stats.ino === base.ino))
    throw conflict(path, 'was changed in the meantime')
  if (!stats.isDirectory()) refuseSetId(path, permissionsOf(stats))
  return stats
}

interface Made {
  readonly made: Identity
  readonly ownerKept: boolean
}

function makeNew(site: Site, name: string, bytes: Buffer, mode: number, old: BigIntStats | undefined): Made {
  const { sys, own } = site
  if ((mode & TYPE_MASK) === LINK_TYPE) {
    sys.symlink(bytes, own, name)
    const stats = sys.lstat(own, name)
    if (stats === undefined) throw new Error(`${name} vanished from the commit's own directory`)
    return { made: identityOf(stats), ownerKept: true }
  }
  const fd = createWith(sys, own, name, bytes)
  try {
    if (old === undefined) adopt(site, fd)
    const ownerKept = old === undefined || keepOwner(site, fd, old)
    sys.chmod(fd, mode & 0o7777)
    return { made: identityOf(sys.fstat(fd)), ownerKept }
  } finally {
    site.keep(fd)
  }
}

/** Sets the exact mode regardless of the umask: a restored directory has its old mode. */
function makeDirectory(site: Site, name: string, mode: number): bigint {
  const { sys, own } = site
  sys.mkdir(own, name, mode)
  if (isOthers(site)) {
    const fd = sys.openFile(own, name)
    adopt(site, fd)
    sys.close(fd)
  }
  const descriptor = sys.hold(own, name)
  try {
    const stats = sys.fstat(descriptor)
    if (permissionsOf(stats) !== mode) {
      sys.chmodHeld(descriptor, mode)
      sys.syncDirectory(descriptor)
    }
    return stats.ino
  } finally {
    sys.close(descriptor)
  }
}

/** Gives files that root creates to the workspace's owner, who could not use them otherwise. */
function adopt(site: Site, fd: number): void {
  if (!isOthers(site)) return
  const { uid, gid } = workspaceOf(site)
  site.sys.chown(fd, Number(uid), Number(gid))
}

const isOthers = (site: Site): boolean => process.getuid?.() === 0 && workspaceOf(site).uid !== 0n

const workspaceOf = ({ sys, at }: Site): BigIntStats => sys.fstat(at('any').dir)

/** Gives the new file the old one's owner if permitted. Node cannot read attributes and ACLs. */
function keepOwner({ sys }: Site, fd: number, old: BigIntStats): boolean {
  const stats = sys.fstat(fd)
  if (stats.uid === old.uid && stats.gid === old.gid) return true
  const uid = process.geteuid?.() === 0 ? Number(old.uid) : -1
  try {
    sys.chown(fd, uid, Number(old.gid))
    return uid !== -1 || stats.uid === old.uid
  } catch (error) {
    // Not root, not a member of the group, or an owner without a mapping in this user namespace.
    if (errnoOf(error) !== 'EPERM' && errnoOf(error) !== 'EINVAL') throw error
    return false
  }
}

/** Returns undefined for a file that we may move but not read. */
function contentHash({ sys, at }: Site, path: string, old: BigIntStats): string | undefined {
  const { dir, name } = at(path)
  try {
    if (old.isSymbolicLink()) return hashOf(sys.readlink(dir, name))
    return hashWhole(sys, dir, name)
  } catch (error) {
    const errno = errnoOf(error) ?? ''
    if (errno === 'EACCES') return undefined
    throw ['EINVAL', 'ELOOP', 'ENXIO', 'EISDIR'].includes(errno)
      ? conflict(path, 'was replaced in the meantime')
      : error
  }
}

function refuseSetId(path: string, mode: number): void {
  if ((mode & SET_ID) === 0) return
  throw new ToolError('denied', `${show(path)} would run with another user's rights (setuid or setgid).`, {
    hint: 'Such files are not changed by tools: change it by hand.',
    details: { path },
  })
}

const notAFile = (path: string): ToolError =>
  new ToolError('not_a_file', `${show(path)} is not a regular file.`, {
    hint: 'Only regular files, links and directories are changed.',
    details: { path },
  })
