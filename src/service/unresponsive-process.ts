import { existsSync, readFileSync } from 'node:fs'
import { ToolError } from '../kernel/error.ts'
import { openLock } from '../machine/state/lock.ts'
import type { Place } from './place.ts'

/** The process at a place, with its id if the kernel reports it. */
interface Holder {
  readonly pid: number | undefined
}

/** Returns the holder of the lock, whether it responds or not; undefined if there is none. */
export function holderOf({ lock: file }: Place): Holder | undefined {
  if (!existsSync(file)) return undefined
  const lock = openLock(file)
  try {
    lock.acquire(0)
    return undefined
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'unavailable') throw error
    const pid = error.details?.['pid']
    return { pid: typeof pid === 'number' ? pid : undefined }
  } finally {
    lock.close()
  }
}

/** Reports whether the process at a place was stopped by a signal and so never responds. */
export function isStopped(place: Place): boolean {
  try {
    const stat = readFileSync(`/proc/${holderOf(place)?.pid}/stat`, 'latin1')
    return /^\) [Tt] /.test(stat.slice(stat.lastIndexOf(')')))
  } catch {
    return false
  }
}

/** The error for a process that is there and does not respond: it is stopped or busy. */
export function unresponsive(holder: Holder | undefined): ToolError {
  const pid = holder?.pid
  const [who, end] = pid === undefined ? ['The process', 'end it'] : [`Process ${pid}`, `end it: kill -KILL ${pid}`]
  return new ToolError('unavailable', `${who} holds the index of this workspace, but does not respond`, {
    hint: `It is stopped or busy. Searches continue without it; if this persists, ${end}`,
  })
}
