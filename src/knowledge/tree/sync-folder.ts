import { closeSync, fstatSync, type Dirent, type FSWatcher, type Stats } from 'node:fs'
import { isSame, type Catalog } from './catalog.ts'
import { diskPath, isAscii, textOf } from './disk-path.ts'
import { newFolder, type Folder } from './folder.ts'
import { holdFolder, listFolder } from './held-folder.ts'
import { RULE_NAMES } from './ignore/read-level.ts'
import { isIgnored, type Rules } from './ignore/rules.ts'
import { readFolderRules, rulesChanged } from './folder-rules.ts'
import { followLinks, unfollow } from './linked-files.ts'
import { identityOf, isRacy, lstat, stampOf } from './stamp.ts'

/**
 * How deep to look: `list` looks at names and files, including new directories below. `verify` does so for everything
 * below, but lists names only in changed directories. `all` lists everything below, for new rules.
 */
export type Depth = 'list' | 'verify' | 'all'

/** Parts of the tree that a look at a directory needs. */
export interface SyncParts {
  readonly rootFd: number
  /** Current path of the root, as bytes. */
  rootPath(): string
  readonly catalog: Catalog
  /** Directories that this user may not read. */
  readonly refused: Set<Folder>
  outside(): Rules
  watch(folder: Folder, fd: number): void
  /** Returns undefined if no watch is available. */
  watchFile(folder: Folder, name: string): FSWatcher | undefined
  /** Queues another directory. */
  enqueue(folder: Folder, depth: Depth): void
  /** Queues one name. */
  mark(folder: Folder, name: string): void
  /** Returns true if another thread looks at its files. */
  leaveFiles(folder: Folder): boolean
  /** Checks its rules before each answer, because no event reports a change. */
  askForRules(folder: Folder): void
}

/** The rest of a larger directory is queued name by name, so that other work gets its turn. */
const MOST_FILES_AT_ONCE = 2_000

/** Updates one directory from disk, and queues those below it. */
export function syncFolder(parts: SyncParts, folder: Folder, depth: Depth): void {
  if (depth === 'verify' && isUnchanged(parts, folder)) return verifyFiles(parts, folder)
  const opening = holdFolder(parts.rootFd, parts.rootPath(), folder.bytes)
  if (opening === 'gone') return drop(parts, folder)
  if (opening === 'unreadable') return refuse(parts, folder)
  try {
    const now = Date.now()
    const stats = fstatSync(opening.fd)
    if (folder.identity !== identityOf(stats)) {
      empty(parts, folder)
      unwatch(folder)
      folder.rules = undefined
      folder.identity = identityOf(stats)
    }
    // Watch before listing, so that later changes are reported.
    parts.watch(folder, opening.fd)
    const entries = listFolder(opening.fd)
    if (entries === undefined) return refuse(parts, folder)
    parts.refused.delete(folder)
    folder.stamp = isRacy(stats, now) ? undefined : stampOf(stats)
    const below = readFolderRules(parts, folder, entries, depth === 'all') ? 'all' : depth
    if (folder.rulesElsewhere) parts.askForRules(folder)
    takeEntries(parts, folder, opening.fd, entries, below)
  } finally {
    closeSync(opening.fd)
  }
}

/** Looks at one name of a directory. */
export function syncName(parts: SyncParts, folder: Folder, name: string): void {
  if (RULE_NAMES.has(name) || folder.rules === undefined) parts.enqueue(folder, 'list')
  if (name === '.git' || folder.rules === undefined) return
  const now = Date.now()
  const stats = lstat(diskPath(pathOf(parts, folder) + name))
  const isDirectory = stats?.isDirectory() === true
  const isListed =
    stats !== undefined &&
    (isDirectory || stats.isFile()) &&
    !isIgnored(folder.rules, folder.bytes + name, name, isDirectory)
  if (!isListed || isDirectory) removeFile(parts, folder, name)
  const below = folder.folders.get(name)
  if (below !== undefined && (!isListed || !isDirectory || below.identity !== identityOf(stats))) drop(parts, below)
  if (!isListed) return
  if (isDirectory) return parts.enqueue(folderAt(folder, name), 'list')
  take(parts, folder, name, stats, now)
}

/**
 * Returns true if no name was added or removed and the rules are the same. Detects a link on the path by its location.
 */
function isUnchanged(parts: SyncParts, folder: Folder): boolean {
  if (folder.stamp === undefined || folder.rules === undefined) return false
  const path = `${pathOf(parts, folder)}.`
  const stats = lstat(folder.plain ? path : diskPath(path))
  if (stats === undefined || folder.identity !== identityOf(stats) || folder.stamp !== stampOf(stats)) return false
  return !rulesChanged(parts, folder)
}

function refuse(parts: SyncParts, folder: Folder): void {
  empty(parts, folder)
  parts.refused.add(folder)
}

function drop(parts: SyncParts, folder: Folder): void {
  empty(parts, folder)
  parts.refused.delete(folder)
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
  if (!folder.files.delete(name)) return
  folder.looked = undefined
  unfollow(folder, name)
  parts.catalog.remove(folder.path + textOf(name))
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
      if (depth !== 'list' || !folder.folders.has(name)) parts.enqueue(folderAt(folder, name), depth)
    } else if (files.size >= MOST_FILES_AT_ONCE) {
      files.add(name)
      parts.mark(folder, name)
    } else if (lookAt(parts, folder, `/proc/self/fd/${fd}/${name}`, name)) files.add(name)
  }
  for (const name of folder.files.keys()) if (!files.has(name)) removeFile(parts, folder, name)
  for (const [name, below] of folder.folders) if (!folders.has(name)) drop(parts, below)
}

function verifyFiles(parts: SyncParts, folder: Folder): void {
  for (const below of folder.folders.values()) parts.enqueue(below, 'verify')
  if (parts.leaveFiles(folder)) return
  const path = pathOf(parts, folder)
  let lookCount = 0
  for (const name of folder.files.keys()) {
    if (++lookCount > MOST_FILES_AT_ONCE) parts.mark(folder, name)
    else if (!lookAt(parts, folder, path + name, name)) removeFile(parts, folder, name)
  }
}

/** Returns true for a file. */
function lookAt(parts: SyncParts, folder: Folder, path: string, name: string): boolean {
  const now = Date.now()
  const stats = lstat(folder.plain && isAscii(name) ? path : diskPath(path))
  if (stats?.isFile() !== true) return false
  const knownFile = folder.files.get(name)
  if (knownFile === undefined || !isSame(knownFile, stats)) take(parts, folder, name, stats, now)
  return true
}

function take(parts: SyncParts, folder: Folder, name: string, stats: Stats, now: number): void {
  if (!folder.files.has(name)) folder.looked = undefined
  folder.files.set(name, parts.catalog.put(folder.path + textOf(name), stats, now))
  if (stats.nlink === 1 && folder.linked === undefined) return
  if (followLinks(folder, name, stats, () => parts.watchFile(folder, name))) parts.mark(folder, name)
}

function folderAt(parent: Folder, name: string): Folder {
  const knownFolder = parent.folders.get(name)
  if (knownFolder !== undefined) return knownFolder
  const folder = newFolder(parent, name, `${parent.path}${textOf(name)}/`)
  parent.folders.set(name, folder)
  return folder
}

const pathOf = (parts: SyncParts, folder: Folder): string => `/proc/self/fd/${parts.rootFd}/${folder.bytes}`
