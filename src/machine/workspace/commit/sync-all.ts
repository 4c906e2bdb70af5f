import { linuxSys, openForSync, type Sys } from '../sys.ts'
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
export function syncAll(sys: Sys, { files = [], directories = [] }: Unsynced, syncOwn: () => void = () => {}): void {
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
