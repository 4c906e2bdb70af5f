import { readFileSync, watch, type FSWatcher } from 'node:fs'
import { errnoOf } from '../../machine/workspace/disk-error.ts'

/** Called when so many events arrived at once that the kernel may have dropped others. */
const onFlood = new Set<() => void>()
let inThisTurn = 0

/** The kernel queues this many events and drops the rest silently; all trees of a process share the queue. */
const MOST_AT_ONCE = mostQueued() / 2

/**
 * Watches one directory, without subdirectories, or one file. Names are bytes; undefined means any. An event is queued
 * before the writer's system call returns, so one turn of the event loop delivers it.
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
