import { constants, setPriority } from 'node:os'
import { statOf } from './tree-facts.ts'

/** A process by its number and the moment it started, since numbers are given out again. */
export interface NamedProcess {
  readonly pid: number
  readonly startedAt: number
}

/** Undefined if there is none with this number. */
export function namedProcess(pid: number): NamedProcess | undefined {
  const stat = statOf(`/proc/${pid}/stat`)
  return stat && { pid, startedAt: stat.startedAt }
}

/**
 * Reports whether it lives, in any of its threads. For the first process of a namespace: whether anything in the
 * namespace does, because the kernel ends it after all others.
 */
export function isAlive({ pid, startedAt }: NamedProcess): boolean {
  const stat = statOf(`/proc/${pid}/stat`)
  if (stat?.startedAt !== startedAt) return false
  // One whose parent does not ask for it stays listed. Its first thread may be over before the others are.
  return !/[ZXx]/.test(stat.state) || stat.threads > 1
}

/** With the first process of a namespace every other goes, whatever session or parent it gave itself. */
export function killNamed(process_: NamedProcess): void {
  if (!isAlive(process_)) return
  // It has to run once more to die: ahead of the thousand others that a fork bomb may have made by now.
  quietly(() => setPriority(process_.pid, constants.priority.PRIORITY_HIGHEST))
  quietly(() => process.kill(process_.pid, 'SIGKILL'))
}

const FIRST_MS = 1
const MOST_MS = 50
const PATIENCE_MS = 30_000

/** Kills a process and waits until nothing of it lives; false if it does not go. */
export async function ended(process_: NamedProcess): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS
  for (let pause = FIRST_MS; isAlive(process_); pause = Math.min(MOST_MS, pause * 2)) {
    if (performance.now() > until) return false
    killNamed(process_)
    await new Promise(resolve => setTimeout(resolve, pause))
  }
  return true
}

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // It is gone, or not ours to put first.
  }
}
