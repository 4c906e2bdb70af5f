import { pausableTimer } from '../../../kernel/pausable-timer.ts'
import type { Exit, Limits } from './types.ts'

/** Usage seen in one look at the running processes. */
export interface Used {
  readonly tasks: number
  readonly cpuMs: number
  readonly residentBytes: number
  readonly tmpBytes: number
}

interface Watched {
  /** Returns undefined while there is nothing to see. */
  look(): Used | undefined
  /** Slower, exact count of memory. Used only if the fast one is above the limit. */
  exactBytes(): number
  /** Newly written bytes on disk; exact only if they may exceed the limit. */
  written(): number
  end(why: NonNullable<Exit['ended']>): void
}

interface Watch {
  stop(): void
  /** Counts usage at the start, so that a command that ends before the first look has a count. */
  glance(used?: Used): void
  /** Stops the command's clock. Returns a function that resumes it. */
  pauseClock(): () => void
  most(): { readonly cpuMs: number; readonly maxRssBytes: number } | undefined
}

/** The namespace's first process. */
export const OURS = 1

const EVERY_MS = 50
/** More frequent at first: unbounded growth starts at once. */
const FIRST_MS = 20
/** Consecutive looks at the process limit after which a command counts as forking without end. */
const FULL_LOOKS = 20
/** Maximum share of time spent looking. */
const SHARE = 0.1

/** Looks repeatedly and ends a command that exceeds a limit which the kernel does not enforce here. */
export function watch(subject: Watched, limits: Limits): Watch {
  let full = 0
  let most: { cpuMs: number; maxRssBytes: number } | undefined
  const count = (used: Used) => {
    most = {
      cpuMs: Math.max(most?.cpuMs ?? 0, used.cpuMs),
      maxRssBytes: Math.max(most?.maxRssBytes ?? 0, used.residentBytes),
    }
  }
  const judge = (used: Used): Exit['ended'] => {
    count(used)
    if (used.tasks > limits.processes + OURS) return 'processes'
    full = used.tasks >= limits.processes ? full + 1 : 0
    if (full >= FULL_LOOKS) return 'processes'
    if (used.cpuMs > limits.cpuSeconds * 1000) return 'cpu'
    if (used.tmpBytes > limits.tmpBytes) return 'memory'
    if (subject.written() > limits.writtenBytes) return 'written'
    if (used.residentBytes > limits.memoryBytes && subject.exactBytes() > limits.memoryBytes) return 'memory'
    return undefined
  }
  const look = () => {
    const before = performance.now()
    const usage = subject.look()
    const why = usage && judge(usage)
    if (why !== undefined) return subject.end(why)
    const took = performance.now() - before
    pause = Math.min(EVERY_MS, pause + FIRST_MS)
    timer = setTimeout(look, Math.max(pause, took / SHARE)).unref()
  }
  let pause = FIRST_MS
  let timer = setTimeout(look, pause).unref()
  const clock = pausableTimer(limits.wallMs, () => subject.end('wall'), { unref: true })
  return {
    stop() {
      clearTimeout(timer)
      clock.stop()
    },
    glance(used = subject.look()) {
      if (used) count(used)
    },
    pauseClock: clock.pause,
    most: () => most,
  }
}
