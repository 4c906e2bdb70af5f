import { createHash } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { hashWhole, readWhole } from './file-bytes.ts'
import { identityOf, permissionsOf, sameIdentity } from '../identity.ts'
import type { Step } from './intent.ts'
import { nameFromBytes } from '../name.ts'
import type { Base, Operation } from '../operation.ts'
import { join, parentOf } from '../path.ts'
import { indexContent } from '../index-content.ts'
import { isIndexPath, isObjectPath, isRecordPath } from '../repository-path.ts'
import { LINK_TYPE } from '../identity.ts'
import { reachable, type Site } from './site.ts'

interface Inverse {
  readonly operations: readonly Operation[]
  /** Paths at which the commit's result has changed. */
  readonly conflicts: readonly { readonly path: string; readonly why: string }[]
}

/**
 * Returns the inverse of a commit's steps on the current workspace. Compares content, not time: a file with the bytes
 * and mode that the commit left counts as unchanged.
 */
export function invert(site: Site, steps: readonly Step[]): Inverse {
  const operations: Operation[] = []
  const conflicts: { path: string; why: string }[] = []
  const freedPaths = new Set(steps.flatMap(comesTo))
  const clash = (path: string, why: string): void => {
    // A log that goes on contradicts nothing, and an object that is there again is the same.
    if (!isRecordPath(path) && !isObjectPath(path)) conflicts.push({ path, why })
  }

  for (const [index, step] of [...steps.entries()].toReversed()) {
    if (step.kind === 'mkdir') continue
    // Something else may lead to an object by now, and git removes those to which nothing leads.
    if (step.kind === 'put' && isObjectPath(step.path)) continue
    if (step.kind === 'rmdir') {
      const there = look(site, step.path)
      if (there?.isDirectory()) continue
      if (there !== undefined && !freedPaths.has(step.path)) clash(step.path, 'there is a file of that name now')
      else operations.push({ kind: 'mkdir', path: step.path, mode: step.mode })
    } else if (step.kind === 'mode') {
      const there = look(site, step.path)
      if (there === undefined) clash(step.path, 'is gone')
      else if (permissionsOf(there) !== step.mode) clash(step.path, 'has another mode now')
      else operations.push({ kind: 'mode', path: step.path, mode: step.base.mode, base: identityOf(there) })
    } else if (step.kind === 'delete') {
      if (look(site, step.path) !== undefined && !freedPaths.has(step.path)) clash(step.path, 'was created again')
      else bringBack(index, step.path, step.base.mode, 'absent')
    } else if (step.kind === 'put') {
      const there = as(step.path, step.mode & 0o7777, step.hash)
      if (there === undefined) continue
      if (step.base === 'absent') operations.push({ kind: 'delete', path: step.path, base: identityOf(there) })
      else bringBack(index, step.path, step.base.mode, identityOf(there))
    } else moveBack(step)
  }
  const newDirectories = steps.flatMap(step => (step.kind === 'mkdir' ? [step.path] : []))
  const emptyDirectories = emptiedDirectories(site, newDirectories, operations)
  for (const path of newDirectories)
    if (!emptyDirectories.includes(path) && operations.some(operation => comesBack(operation) === path))
      clash(path, 'is a directory with other files in it now')
  const rest = emptyDirectories.map((path): Operation => ({ kind: 'rmdir', path }))
  return { operations: [...parents(site, operations), ...operations, ...rest], conflicts }

  /** Returns the file if it still has the content and mode that the commit left. */
  function as(path: string, mode: number, hash: string | undefined): BigIntStats | undefined {
    const there = look(site, path)
    if (there === undefined) clash(path, 'is gone')
    else if (contentOf(site, path, there) !== hash) clash(path, 'was changed since')
    else if (permissionsOf(there) !== mode && !there.isSymbolicLink()) clash(path, 'has another mode now')
    else return there
    return undefined
  }

  function bringBack(index: number, path: string, mode: number, base: Base): void {
    const { sys, own } = site
    const old = sys.lstat(own, `x${index}`)
    if (old?.isSymbolicLink())
      operations.push({ kind: 'put', path, bytes: sys.readlink(own, `x${index}`), mode: LINK_TYPE | 0o777, base })
    else if (old?.isFile()) operations.push({ kind: 'put', path, bytes: readWhole(sys, own, `x${index}`), mode, base })
    else clash(path, 'the old content is no longer kept')
  }

  function moveBack({ from, to, base, mode, directory, hash }: Extract<Step, { kind: 'move' }>): void {
    const there = look(site, to)
    if (look(site, from) !== undefined && !freedPaths.has(from)) return clash(from, 'was created again')
    if (there === undefined) return clash(to, 'is gone')
    const leftIdentity = { ...base, mode: mode ?? base.mode }
    const same = directory ? there.ino === base.ino : sameIdentity(identityOf(there), leftIdentity)
    if (!same && (directory || hash === undefined)) return clash(to, 'was changed since')
    if (!same && as(to, leftIdentity.mode, hash) === undefined) return
    const back: Operation = { kind: 'move', from: to, to: from, base: identityOf(there) }
    operations.push(mode === undefined ? back : { ...back, mode: base.mode })
  }
}

/** Names that a step fills and its inverse frees. */
const comesTo = (step: Step): string[] => {
  if (step.kind === 'move') return [step.to]
  return step.kind === 'mkdir' || (step.kind === 'put' && step.base === 'absent') ? [step.path] : []
}

const comesBack = (operation: Operation): string | undefined =>
  operation.kind === 'move' ? operation.to : operation.kind === 'put' ? operation.path : undefined

export function look(site: Site, path: string): BigIntStats | undefined {
  return reachable(() => {
    const { dir, name } = site.at(path)
    return site.sys.lstat(dir, name)
  })
}

export function contentOf({ sys, at }: Site, path: string, there: BigIntStats): string | undefined {
  const { dir, name } = at(path)
  if (there.isSymbolicLink()) return createHash('sha256').update(sys.readlink(dir, name)).digest('hex')
  if (!there.isFile()) return undefined
  const indexHash = isIndexPath(path) ? indexContent(readWhole(sys, dir, name)) : undefined
  return indexHash ?? hashWhole(sys, dir, name)
}

/** Directories that are gone since and needed again. */
export function parents(site: Site, operations: readonly Operation[]): Operation[] {
  const directoriesToMake = new Set(
    operations.flatMap(operation => (operation.kind === 'mkdir' ? [operation.path] : [])),
  )
  const missing = new Set<string>()
  for (const operation of operations) {
    const comes = operation.kind === 'put' || operation.kind === 'mkdir' ? operation.path : undefined
    let directory = parentOf(operation.kind === 'move' ? operation.to : (comes ?? 'x'))
    for (
      ;
      directory !== '.' && !directoriesToMake.has(directory) && look(site, directory) === undefined;
      directory = parentOf(directory)
    )
      missing.add(directory)
  }
  return [...missing].map(path => ({ kind: 'mkdir', path, mode: 0o755 }))
}

/** Directories that the commit created and that become empty without its files. Others stay. */
export function emptiedDirectories(site: Site, made: readonly string[], operations: readonly Operation[]): string[] {
  const going = new Set(
    operations.flatMap(operation =>
      operation.kind === 'delete' ? [operation.path] : operation.kind === 'move' ? [operation.from] : [],
    ),
  )
  const emptyDirectories: string[] = []
  for (const path of made.toSorted((a, b) => b.split('/').length - a.split('/').length)) {
    const names = look(site, path)?.isDirectory() ? namesIn(site, path) : undefined
    if (names === undefined || !names.every(name => going.has(join(path, name)))) continue
    going.add(path)
    emptyDirectories.push(path)
  }
  return emptyDirectories
}

function namesIn({ sys, at }: Site, path: string): string[] {
  const { dir, name } = at(path)
  const fd = sys.openDirectory(dir, name)
  try {
    return sys.list(fd).map(nameFromBytes)
  } finally {
    sys.close(fd)
  }
}
