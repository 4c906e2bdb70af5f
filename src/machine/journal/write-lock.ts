import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { ToolError } from '../../kernel/error.ts'
import { elapsedMs, sleepSync } from '../../kernel/time.ts'
import { openLock } from '../state/lock.ts'

/** The right to write, passed between processes. */
export interface WriteLock {
  /** Waits for it where another process has it; throws `unavailable` after this time. */
  take(patienceMs?: number): void
  /** Takes it only if it is free now. */
  tryTake(): boolean
  /** Leaves a moment for waiting processes. */
  giveBack(): void
  close(): void
}

const PATIENCE_MS = 30_000
const POLL_MS = 0.5
/** How long a waiting process may stay unseen. */
const LOOK_MS = 1

export function openWriteLock(file: string): WriteLock {
  const lock = openLock(file)
  // A loop that writes record after record would hardly ever release it otherwise: a waiting process leaves this file.
  const waitingMark = `${file}.wanted`
  let nextLook = -Infinity

  const tryTake = (): boolean => {
    try {
      lock.acquire(0)
    } catch (error) {
      if (error instanceof ToolError && error.code === 'unavailable') return false
      throw error
    }
    return true
  }

  const wait = (patienceMs: number): void => {
    const deadline = elapsedMs() + patienceMs
    for (let tries = 0; elapsedMs() < deadline; tries++) {
      if (tries % 8 === 0) writeFileSync(waitingMark, '', { mode: 0o600 })
      sleepSync(POLL_MS)
      if (!tryTake()) continue
      rmSync(waitingMark, { force: true })
      return
    }
    throw new ToolError('unavailable', `The journal is being written by another process, and ${file} stays locked.`, {
      hint: 'Wait for that process to finish, or end it, and try again.',
    })
  }

  return {
    take(patienceMs = PATIENCE_MS) {
      if (!tryTake()) wait(patienceMs)
    },
    tryTake,
    giveBack() {
      lock.release()
      const now = elapsedMs()
      if (now < nextLook) return
      nextLook = now + LOOK_MS
      if (!existsSync(waitingMark)) return
      rmSync(waitingMark, { force: true })
      sleepSync(POLL_MS * 4)
    },
    close: () => lock.close(),
  }
}
