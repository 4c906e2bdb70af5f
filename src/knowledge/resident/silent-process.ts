import { existsSync, readFileSync } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { openLock } from '../../machine/state/lock.ts'
import type { Place } from './place.ts'

/** The process that lives at a place; its id where the kernel tells it. */
interface Holder {
  readonly pid: number | undefined
}

/** Who holds the lock of a life, whether it answers or not; undefined if nobody does. */
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

/** Reports whether the process that lives at a place was stopped by a signal, so that it says nothing however long one waits. */
export function isStopped(place: Place): boolean {
  try {
    const stat = readFileSync(`/proc/${holderOf(place)?.pid}/stat`, 'latin1')
    return /^\) [Tt] /.test(stat.slice(stat.lastIndexOf(')')))
  } catch {
    return false
  }
}

/** The failure of whoever needs a process that is there and does not answer: it is stopped, or has too much to do. */
export function saysNothing(holder: Holder | undefined): ToolError {
  const pid = holder?.pid
  const [who, end] = pid === undefined ? ['The process', 'end it'] : [`Process ${pid}`, `end it: kill -KILL ${pid}`]
  return new ToolError('unavailable', `${who} holds the index of this workspace, but says nothing`, {
    hint: `It is stopped, or has too much to do. Searches go on without it; if it stays so, ${end}`,
  })
}
