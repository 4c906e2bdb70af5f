import { fstatSync, lstatSync, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './place.ts'

interface LifetimeOptions {
  readonly place: Place
  readonly root: { readonly path: string; readonly fd: number }
  readonly idleMs: number
  /** Called once, with the reason. */
  end(why: string): void
}

export interface Lifetime {
  /** Idle time starts when the last client leaves. */
  clients(count: number): void
  stop(): void
}

const LOOK_MS = 2000

/**
 * Ends the process when it is no longer needed: idle, its workspace gone or replaced, its socket or state removed, a
 * signal.
 */
export function watchLifetime({ place, root, idleMs, end }: LifetimeOptions): Lifetime {
  const socket = join(place.directory, place.socket)
  const ownInode = lstatSync(socket, { bigint: true }).ino
  let isEnded = false
  const finish = (why: string): void => {
    if (isEnded) return
    isEnded = true
    stop()
    end(why)
  }
  let idle = setTimeout(() => finish('idle'), idleMs)
  const look = (): void => {
    if (lstatSync(socket, { bigint: true, throwIfNoEntry: false })?.ino !== ownInode) return finish('socket removed')
    if (!isSame(root)) finish('workspace removed')
  }
  const timer = setInterval(look, LOOK_MS)
  const watcher = watch(place.directory, { persistent: false }, look)
  watcher.on('error', look)
  const signals = (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(name => {
    const listener = (): void => finish(name)
    process.on(name, listener)
    return () => void process.off(name, listener)
  })

  function stop(): void {
    clearTimeout(idle)
    clearInterval(timer)
    watcher.close()
    for (const off of signals) off()
  }

  return {
    clients(count) {
      clearTimeout(idle)
      if (count === 0 && !isEnded) idle = setTimeout(() => finish('idle'), idleMs)
    },
    stop,
  }
}

/** Reports whether the directory at the path is still the held one. */
function isSame({ path, fd }: { readonly path: string; readonly fd: number }): boolean {
  const now = statSync(path, { bigint: true, throwIfNoEntry: false })
  const heldStats = fstatSync(fd, { bigint: true })
  return now !== undefined && now.ino === heldStats.ino && now.dev === heldStats.dev
}
