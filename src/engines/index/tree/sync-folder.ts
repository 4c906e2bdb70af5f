import { closeSync, fstatSync, type Dirent } from 'node:fs'
import { nameFromBytes } from '../../workspace/name.ts'
import type { Catalog } from './catalog.ts'
import { isAscii } from './disk-path.ts'
import { newFolder, type Folder } from './folder.ts'
import { holdFolder, listFolder } from './held-folder.ts'
import { levelStamp, readLevel, RULE_NAMES } from './ignore/read-level.ts'
import { isIgnored, withLevel, type Rules } from './ignore/rules.ts'
import { identityOf, isRacy, lstat, stampOf } from './stamp.ts'

/**
 * How much of a directory is looked at: `list` its names and files, new directories below too; `verify` the same
 * for everything below, but names only where the directory changed; `all` lists everything below, for new rules.
 */
export type Depth = 'list' | 'verify' | 'all'

/** What the look at a directory needs of the tree. */
export interface SyncParts {
  readonly rootFd: number
  readonly catalog: Catalog
  outside(): Rules
  watch(folder: Folder, fd: number): void
  /** Asks for another directory to be looked at. */
  enqueue(folder: Folder, depth: Depth): void
  /** Asks for one name to be looked at. */
  mark(folder: Folder, name: string): void
}

/** The rest of a larger directory is looked at name by name, so that others get their turn. */
const MOST_FILES_AT_ONCE = 2_000

/** Makes what is known of one directory what is on disk, and asks for those below it. */
export function syncFolder(parts: SyncParts, folder: Folder, asked: Depth): void {
  const held = holdFolder(parts.rootFd, folder.bytes)
  if (held === 'gone') return drop(parts, folder)
  if (held === 'unreadable') return empty(parts, folder)
  try {
    const now = Date.now()
    const stats = fstatSync(held.fd, { bigint: true })
    let depth = asked
    if (folder.identity !== identityOf(stats)) {
      empty(parts, folder)
      unwatch(folder)
      folder.rules = undefined
      folder.identity = identityOf(stats)
    }
    // Watched before it is listed: what comes later is told.
    parts.watch(folder, held.fd)
    const stamp = isRacy(stats, now) ? undefined : stampOf(stats)
    if (depth === 'verify' && stamp !== undefined && stamp === folder.stamp && folder.rules !== undefined) {
      if (folder.rulesStamp === rulesStampOf(parts, folder, held.fd, folder.ruleNames))
        return verifyFiles(parts, folder, held.fd)
    }
    const entries = listFolder(held.fd)
    if (entries === undefined) return empty(parts, folder)
    folder.stamp = stamp
    if (readFolderRules(parts, folder, held.fd, entries, depth)) depth = 'all'
    takeEntries(parts, folder, held.fd, entries, depth)
  } finally {
    closeSync(held.fd)
  }
}

/** Looks at one name of a directory. */
export function syncName(parts: SyncParts, folder: Folder, name: string): void {
  if (RULE_NAMES.has(name)) return parts.enqueue(folder, 'list')
  if (folder.rules === undefined) return parts.enqueue(folder, 'list')
  const now = Date.now()
  const stats = lstat(`/proc/self/fd/${parts.rootFd}/${folder.bytes}${name}`)
  const isDirectory = stats?.isDirectory() === true
  const listed =
    stats !== undefined &&
    (isDirectory || stats.isFile()) &&
    !isIgnored(folder.rules, folder.bytes + name, name, isDirectory)
  if (!listed || isDirectory) removeFile(parts, folder, name)
  const below = folder.folders.get(name)
  if (below !== undefined && (!listed || !isDirectory || below.identity !== identityOf(stats))) drop(parts, below)
  if (!listed || stats === undefined) return
  if (isDirectory) parts.enqueue(folderAt(folder, name), 'list')
  else folder.files.set(name, parts.catalog.put(folder.path + textOf(name), stats, now))
}

/** Takes a directory and everything below it out of the tree. */
export function drop(parts: SyncParts, folder: Folder): void {
  empty(parts, folder)
  unwatch(folder)
  if (folder.parent === undefined) return
  folder.gone = true
  if (folder.parent.folders.get(folder.name) === folder) folder.parent.folders.delete(folder.name)
}

function empty(parts: SyncParts, folder: Folder): void {
  folder.stamp = undefined
  for (const name of folder.files.keys()) removeFile(parts, folder, name)
  for (const below of folder.folders.values()) drop(parts, below)
}

function unwatch(folder: Folder): void {
  folder.watcher?.close()
  folder.watcher = undefined
}

function removeFile(parts: SyncParts, folder: Folder, name: string): void {
  if (folder.files.delete(name)) parts.catalog.remove(folder.path + textOf(name))
}

/** True where everything below has to be decided again. */
function readFolderRules(parts: SyncParts, folder: Folder, fd: number, entries: Dirent[], depth: Depth): boolean {
  const names = new Set<string>()
  for (const { name } of entries) if (RULE_NAMES.has(name)) names.add(name)
  const above = folder.parent === undefined ? parts.outside() : folder.parent.rules
  const stamp = rulesStampOf(parts, folder, fd, names)
  const known = folder.rules !== undefined
  if (known && depth !== 'all' && stamp === folder.rulesStamp) return false
  const level = names.size === 0 ? undefined : readLevel(levelPlace(parts, folder, fd, names))
  const rules = above ?? parts.outside()
  folder.ruleNames = names
  folder.rules = level === undefined ? rules : withLevel(rules, level)
  folder.rulesStamp = stamp
  return known
}

function rulesStampOf(parts: SyncParts, folder: Folder, fd: number, names: ReadonlySet<string>): string {
  return names.size === 0 ? '' : levelStamp(levelPlace(parts, folder, fd, names))
}

function levelPlace(parts: SyncParts, folder: Folder, fd: number, names: ReadonlySet<string>) {
  return {
    directory: `/proc/self/fd/${fd}/`,
    start: `/proc/self/fd/${parts.rootFd}/`,
    skip: folder.bytes.length,
    lead: '',
    has: (name: string) => names.has(name),
  }
}

function takeEntries(parts: SyncParts, folder: Folder, fd: number, entries: Dirent[], depth: Depth): void {
  const { rules } = folder
  if (rules === undefined) return
  const files = new Set<string>()
  const folders = new Set<string>()
  for (const entry of entries) {
    const { name } = entry
    const isDirectory = entry.isDirectory()
    if (name === '.git' || !(isDirectory || entry.isFile())) continue
    if (isIgnored(rules, folder.bytes + name, name, isDirectory)) continue
    if (isDirectory) {
      folders.add(name)
      const known = folder.folders.get(name)
      if (known === undefined || depth !== 'list') parts.enqueue(folderAt(folder, name), depth)
      continue
    }
    if (files.size >= MOST_FILES_AT_ONCE) {
      files.add(name)
      parts.mark(folder, name)
      continue
    }
    const now = Date.now()
    const stats = lstat(`/proc/self/fd/${fd}/${name}`)
    if (stats?.isFile() !== true) continue
    files.add(name)
    folder.files.set(name, parts.catalog.put(folder.path + textOf(name), stats, now))
  }
  if (folder.files.size > files.size)
    for (const name of folder.files.keys()) if (!files.has(name)) removeFile(parts, folder, name)
  if (folder.folders.size > folders.size)
    for (const [name, below] of folder.folders) if (!folders.has(name)) drop(parts, below)
}

function verifyFiles(parts: SyncParts, folder: Folder, fd: number): void {
  let looked = 0
  for (const name of folder.files.keys()) {
    if (++looked > MOST_FILES_AT_ONCE) {
      parts.mark(folder, name)
      continue
    }
    const now = Date.now()
    const stats = lstat(`/proc/self/fd/${fd}/${name}`)
    if (stats?.isFile() !== true) removeFile(parts, folder, name)
    else folder.files.set(name, parts.catalog.put(folder.path + textOf(name), stats, now))
  }
  for (const below of folder.folders.values()) parts.enqueue(below, 'verify')
}

function folderAt(parent: Folder, name: string): Folder {
  const known = parent.folders.get(name)
  if (known !== undefined) return known
  const folder = newFolder(parent, name, `${parent.path}${textOf(name)}/`)
  parent.folders.set(name, folder)
  return folder
}

const textOf = (name: string): string => (isAscii(name) ? name : nameFromBytes(Buffer.from(name, 'latin1')))
