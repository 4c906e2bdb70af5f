import { ToolError } from '../../../kernel/error.ts'
import { diskError, errnoOf } from '../disk-error.ts'
import { mountPointOf } from './mount.ts'
import { nameToBytes, onDisk } from '../name.ts'
import { parentOf, show } from '../path.ts'
import { type Name, type Sys, linuxSys, openForSync } from '../sys.ts'
import { startSyncThreads, type SyncThreads } from './sync-threads.ts'

interface Unsynced {
  /** Open files. */
  readonly files?: readonly number[]
  /** Held directories. */
  readonly directories?: readonly number[]
}

/**
 * Syncs everything in any order, in parallel if possible. `syncOwn` is the caller's own sync. A directory alone comes after
 * the files: it is mostly on disk by then, sooner than a thread would wake up.
 */
function syncAll(sys: Sys, { files = [], directories = [] }: Unsynced, syncOwn: () => void = () => {}): void {
  const parallelDirectories = directories.length > 1 ? directories : []
  const together = sys === linuxSys && files.length + parallelDirectories.length > 1 ? threadsOfProcess() : undefined
  if (together === undefined) {
    syncOwn()
    for (const fd of files) sys.sync(fd)
    for (const fd of directories) sys.syncDirectory(fd)
    return
  }
  const openedDirectories: number[] = []
  try {
    for (const fd of parallelDirectories) openedDirectories.push(openForSync(fd))
    together.sync([...files, ...openedDirectories], syncOwn)
  } finally {
    for (const fd of openedDirectories) sys.close(fd)
  }
  if (parallelDirectories !== directories) for (const fd of directories) sys.syncDirectory(fd)
}

let threads: SyncThreads | undefined
let groups = 0

/**
 * Returns undefined for the first commits of a process: most processes make one, and threads start more slowly than
 * that.
 */
function threadsOfProcess(): SyncThreads | undefined {
  if (++groups > START_AFTER) threads ??= startSyncThreads()
  return threads?.isReady() ? threads : undefined
}

const START_AFTER = 2

/** A name in the workspace and its held directory. */
interface Spot {
  readonly dir: number
  readonly name: Name
}

/** Shared by the steps of one commit: its directory in the store, and the held directories of the workspace. */
export interface Site {
  readonly sys: Sys
  /** The commit's own directory. */
  readonly own: number
  /** The directory was just made: none of the commit's steps is done. */
  readonly isNew: boolean
  /** Throws `conflict` if a directory on the way is missing or became a link. */
  at(path: string): Spot
  /** Marks this path's directory for syncing, because a name in it changed. */
  touch(path: string): void
  /** Drops held directories below this path, because one was removed, created or moved. */
  forget(path: string): void
  /** Throws `conflict` if a touched directory is no longer at its path. */
  verify(): void
  /** Keeps a new file open until it is synced with others, by `settle` at the latest. */
  keep(fd: number): void
  /** Syncs the kept files, another file and a directory, and runs `another` with them. */
  settle(file: number, directory: number, another: () => void): void
  /** Syncs the touched directories that still exist. */
  sync(): void
  close(): void
}

/** Opens the commit's own directory by its name in `pending`. Opens directories of the workspace on demand. */
export function openSite(sys: Sys, root: number, pending: number, name: string, isNew = false): Site {
  const ownDirectory = sys.openDirectory(pending, name)
  const descriptors = new Map<string, number>([['.', root]])
  const touchedDirectories = new Set<string>()
  const unsyncedFiles: number[] = []

  const release = (): void => {
    for (const fd of unsyncedFiles.splice(0)) sys.close(fd)
  }
  const directory = (path: string, asked: string): number => {
    const knownDescriptor = descriptors.get(path)
    if (knownDescriptor !== undefined) return knownDescriptor
    const parent = directory(parentOf(path), asked)
    try {
      const fd = sys.openDirectory(parent, lastOf(path))
      descriptors.set(path, fd)
      return fd
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === 'ENOENT') throw conflict(asked, `lies in ${show(path)}, which is gone`)
      if (errno === 'ENOTDIR' || errno === 'ELOOP')
        throw conflict(asked, `lies in ${show(path)}, no directory any more`)
      throw error
    }
  }

  return {
    sys,
    own: ownDirectory,
    isNew,
    at: path => ({ dir: directory(parentOf(path), path), name: lastOf(path) }),
    touch: path => touchedDirectories.add(parentOf(path)),
    forget(path) {
      for (const [heldPath, fd] of descriptors) {
        if (heldPath !== path && !heldPath.startsWith(`${path}/`)) continue
        descriptors.delete(heldPath)
        sys.close(fd)
      }
      for (const touchedPath of touchedDirectories)
        if (touchedPath === path || touchedPath.startsWith(`${path}/`)) touchedDirectories.delete(touchedPath)
    },
    verify() {
      const base = sys.whereIs(root)
      for (const path of touchedDirectories) {
        const expectedPath = path === '.' ? base : `${base}/${path}`
        // The kernel's result is decoded as UTF-8, so the compared text must be too.
        const decodedPath = expectedPath.isWellFormed()
          ? expectedPath
          : (nameToBytes(expectedPath)?.toString() ?? expectedPath)
        if (sys.whereIs(directory(path, path)) !== decodedPath.replace(/^\/\//, '/'))
          throw conflict(path, 'was moved away while files in it were being changed')
      }
    },
    keep(fd) {
      unsyncedFiles.push(fd)
      if (unsyncedFiles.length < MOST_KEPT) return
      syncAll(sys, { files: unsyncedFiles })
      release()
    },
    settle(file, dir, another) {
      syncAll(sys, { files: [...unsyncedFiles, file], directories: [dir] }, another)
      release()
    },
    sync() {
      syncAll(sys, {
        directories: [...touchedDirectories].flatMap(path => reachable(() => directory(path, path)) ?? []),
      })
    },
    close() {
      release()
      for (const [path, fd] of descriptors) if (path !== '.') sys.close(fd)
      descriptors.clear()
      sys.close(ownDirectory)
    },
  }
}

/** Another program's work is in the way; it stays untouched. */
export const conflict = (path: string, what: string): ToolError =>
  new ToolError('conflict', `${show(path)} ${what}.`, {
    hint: 'Look at it again, and repeat the change on the current content.',
    details: { path },
  })

/** Turns a failed system call into an error of the commit. Names the path, and the mount if that is the reason. */
export function commitError(error: unknown, path: string, dir?: number): unknown {
  const errno = errnoOf(error)
  if (error instanceof ToolError || errno === undefined) return error
  if (errno !== 'EXDEV') {
    const failure = diskError(error, path)
    const { message, hint } = failure instanceof ToolError ? failure : new ToolError('io', `${show(path)}: ${errno}`)
    return new ToolError('io', message, {
      hint: hint ?? 'Nothing was changed.',
      details: { path, errno },
      cause: error,
    })
  }
  const mount = dir === undefined ? undefined : mountPointOf(dir)
  return new ToolError('io', `${show(path)} lies on another mount than the workspace${mount ? ` (${mount})` : ''}.`, {
    hint: 'Files on another mount cannot be changed in one commit with the rest: open that directory as its own workspace.',
    details: { path, ...(mount === undefined ? {} : { mount }) },
    cause: error,
  })
}

/** Returns undefined if a directory on the way is gone or became a link. */
export function reachable<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch (error) {
    if (error instanceof ToolError && error.code === 'conflict') return undefined
    throw error
  }
}

/** Limited, because descriptors are few. */
const MOST_KEPT = 60

const lastOf = (path: string): Name => onDisk(path.slice(path.lastIndexOf('/') + 1))
