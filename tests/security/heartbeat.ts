import { readFileSync } from 'node:fs'
import { stolenMs } from '../processor-time.ts'

export interface Beats {
  /** The longest time in which nothing else could run in this thread, without what the machine gave to others meanwhile. */
  readonly blockedMs: number
  /** How long this thread was ready and had no processor. */
  readonly waitedMs: number
}

const EVERY_MS = 5

/** Beats while something runs, so that it shows how long the event loop stood still. */
export function heartbeat(): { stop(): Beats } {
  let blockedMs = 0
  let last = performance.now()
  let waited = waitingMs()
  const first = waited
  const beat = () => {
    const [now, waits] = [performance.now(), waitingMs()]
    blockedMs = Math.max(blockedMs, now - last - (waits - waited) - EVERY_MS)
    last = now
    waited = waits
  }
  const timer = setInterval(beat, EVERY_MS)
  return {
    stop() {
      clearInterval(timer)
      beat()
      return { blockedMs, waitedMs: waited - first }
    },
  }
}

/** What the kernel counted for this thread, and what others had of the machine; nothing where it does not count. */
function waitingMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6 + stolenMs()
  } catch {
    return 0
  }
}
