import type { FSWatcher } from 'node:fs'
import type { Root } from '../../machine/workspace/root.ts'
import { diskPath } from './disk-path.ts'
import { foldersOf, type Folder } from './folder.ts'
import { unfollow } from './linked-files.ts'
import { watchPlace } from './watch-place.ts'

/** The watches of a tree: one for each directory and each file with several names. */
export interface TreeWatchers {
  /** False once a watch could not be created; all are dropped then. */
  areComplete(): boolean
  watch(folder: Folder, fd: number): void
  /** Returns undefined if no watch is available. */
  watchFile(folder: Folder, name: string): FSWatcher | undefined
  close(): void
}

interface WatchersParts {
  readonly root: Pick<Root, 'fd'>
  readonly top: Folder
  /** The maximum number of watches. */
  readonly most: number
  readonly onEvent: (folder: Folder, name: string | undefined) => void
}

export function treeWatchers({ root, top, most, onEvent }: WatchersParts): TreeWatchers {
  let watcherCount = 0
  let watching = true
  return { areComplete: () => watching, watch, watchFile, close: closeWatchers }

  function watch(folder: Folder, fd: number): void {
    if (!watching || folder.watcher !== undefined) return
    folder.watcher = watcherOf(`/proc/self/fd/${fd}`, name => onEvent(folder, name))
  }

  function watchFile(folder: Folder, name: string): FSWatcher | undefined {
    if (!watching) return undefined
    return watcherOf(diskPath(`/proc/self/fd/${root.fd}/${folder.bytes}${name}`), () => onEvent(folder, name))
  }

  function watcherOf(path: string | Buffer, onName: (name: string | undefined) => void): FSWatcher | undefined {
    const watcher = watcherCount < most ? watchPlace(path, onName) : 'none left'
    if (watcher === 'forbidden') return undefined
    if (watcher === 'none left') {
      watching = false
      closeWatchers()
      return undefined
    }
    watcherCount++
    watcher.once('close', () => watcherCount--)
    return watcher
  }

  function closeWatchers(): void {
    for (const folder of foldersOf(top)) {
      folder.watcher?.close()
      folder.watcher = undefined
      for (const name of folder.linked?.keys() ?? []) unfollow(folder, name)
    }
  }
}
