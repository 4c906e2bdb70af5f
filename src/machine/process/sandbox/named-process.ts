import { constants, setPriority } from 'node:os'
import { statOf } from './tree-facts.ts'

/** A process by number and start time, since numbers are reused. */
export interface NamedProcess {
  readonly pid: number
  readonly startedAt: number
}

/** Returns undefined for an unused number. */
export function namedProcess(pid: number): NamedProcess | undefined {
  const stat = statOf(`/proc/${pid}/stat`)
  return stat && { pid, startedAt: stat.startedAt }
}

/**
 * Reports whether any thread of it lives. For a namespace's first process: whether anything in the namespace lives,
 * because the kernel ends that process last.
 */
export function isAlive({ pid, startedAt }: NamedProcess): boolean {
  const stat = statOf(`/proc/${pid}/stat`)
  if (stat?.startedAt !== startedAt) return false
  // A process stays listed until its parent reaps it. Its first thread may end before the others.
  return !/[ZXx]/.test(stat.state) || stat.threads > 1
}

/** Kills a process. With a namespace's first process every other goes, regardless of session or parent. */
export function killNamed(process_: NamedProcess): void {
  if (!isAlive(process_)) return
  // It must run once more to die, ahead of a fork bomb's thousand processes.
  quietly(() => setPriority(process_.pid, constants.priority.PRIORITY_HIGHEST))
  quietly(() => process.kill(process_.pid, 'SIGKILL'))
}

const FIRST_MS = 1
const MOST_MS = 50
const PATIENCE_MS = 30_000

/** Kills a process and waits until it is gone. Returns false if it stays. */
export async function killAndWait(process_: NamedProcess): Promise<boolean> {
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
    // Gone, or not ours to prioritise.
  }
}
