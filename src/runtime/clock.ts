import { randomBytes } from 'node:crypto'
import { FIXED_TIME } from '../kernel/time.ts'

/** Time and identity as a session knows them, so that a deterministic session can fix both. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Microsecond-fine and steady, for durations only. */
  elapsed(): number
  /** A new name that sorts by time. */
  id(): string
}

export const systemClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  id: newId,
}

/** The same calls in the same order get the same times and names. */
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

/** 9 characters of time, 3 of sequence within the millisecond, 6 of chance: sorts as it was made, here and across processes. */
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

/** Random bytes are fetched in bulk: one draw costs more than a whole call may. */
function chance(): string {
  if (pool.length < 4) pool = randomBytes(4096)
  const value = pool.readUInt32LE(0) % 36 ** 6
  pool = pool.subarray(4)
  return value.toString(36).padStart(6, '0')
}
