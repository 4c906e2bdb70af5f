import { readFileSync, watch, type FSWatcher } from 'node:fs'
import { errnoOf } from '../../machine/workspace/disk-error.ts'

/** Told when so many events came at once that the kernel may have dropped others. */
const onFlood = new Set<() => void>()
let inThisTurn = 0

/** The kernel keeps so many events and drops the rest without our being told; all trees of a process share them. */
const MOST_AT_ONCE = mostQueued() / 2

/**
 * Watches one directory, not what is below, or one file. Names are bytes; undefined stands for any.
 * An event is queued before the system call of the writer comes back, so that one turn of the event loop brings it.
 */
export function watchPlace(
  path: string | Buffer,
  onName: (name: string | undefined) => void,
): FSWatcher | 'none left' | 'forbidden' {
  try {
    const watcher = watch(path, { persistent: false, encoding: 'latin1' }, (_, name) => {
      count()
      onName(name ?? undefined)
    })
    watcher.on('error', () => onName(undefined))
    return watcher
  } catch (error) {
    const errno = errnoOf(error)
    return errno === 'EACCES' || errno === 'ENOENT' ? 'forbidden' : 'none left'
  }
}

/** Calls back after a turn in which events may have been lost. */
export function whenFlooded(callback: () => void): () => void {
  onFlood.add(callback)
  return () => void onFlood.delete(callback)
}

function count(): void {
  if (inThisTurn++ === 0) setImmediate(() => (inThisTurn = 0))
  if (inThisTurn === MOST_AT_ONCE) for (const callback of onFlood) callback()
}

function mostQueued(): number {
  try {
    return Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8')) || 16_384
  } catch {
    return 16_384
  }
}
