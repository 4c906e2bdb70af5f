import { randomBytes } from 'node:crypto'
import { elapsedMs, FIXED_TIME } from '../kernel/time.ts'

/** Time and ids as a session sees them, so that a deterministic session can fix both. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Monotonic with microsecond resolution, for durations only. */
  elapsed(): number
  /** Processor time of this process in milliseconds; absent where times are fixed. */
  readonly processorMs?: () => number
  /** Returns a new id that sorts by time. */
  id(): string
}

export const systemClock: Clock = {
  now: Date.now,
  elapsed: elapsedMs,
  processorMs() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
  id: newId,
}

/** Gives the same calls in the same order the same times and ids. */
export function fixedClock(start = FIXED_TIME): Clock {
  let count = 0
  return {
    now: () => start,
    elapsed: () => 0,
    id: () => `fixed${String(++count).padStart(12, '0')}`,
  }
}

let lastTime = 0
let sequence = 0

/**
 * Returns 9 characters of time, 3 of sequence within the millisecond, 6 random ones. Ids sort by creation, even across
 * processes.
 */
function newId(): string {
  const now = Date.now()
  if (now > lastTime) {
    lastTime = now
    sequence = 0
  } else sequence++
  const time = lastTime.toString(36).padStart(9, '0')
  return time + sequence.toString(36).padStart(3, '0') + chance()
}

let pool = Buffer.alloc(0)

/** Draws random bytes in bulk: a single draw costs more than a whole call may. */
function chance(): string {
  if (pool.length < 4) pool = randomBytes(4096)
  const value = pool.readUInt32LE(0) % 36 ** 6
  pool = pool.subarray(4)
  return value.toString(36).padStart(6, '0')
}
