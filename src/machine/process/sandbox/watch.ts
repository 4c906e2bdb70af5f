import { pausableTimer } from '../../../kernel/pausable-timer.ts'
import type { Exit, Limits } from './types.ts'

/** What a look at the running processes tells. */
export interface Used {
  readonly tasks: number
  readonly cpuMs: number
  readonly residentBytes: number
  readonly tmpBytes: number
}

interface Watched {
  /** Undefined while there is nothing to see. */
  look(): Used | undefined
  /** A slower, exact count of the memory, asked for only when the quick one is above the limit. */
  exactBytes(): number
  /** How much lies on disk that was not there before, in so far as it may be too much. */
  written(): number
  end(why: NonNullable<Exit['ended']>): void
}

interface Watch {
  stop(): void
  /** Counts what is used at the beginning, so that also a command that is over before the first look has used something. */
  glance(used?: Used): void
  /** Stops the time that the command may take; returns how to go on. */
  pauseClock(): () => void
  most(): { readonly cpuMs: number; readonly maxRssBytes: number } | undefined
}

/** The first process of the namespace. */
export const OURS = 1

const EVERY_MS = 50
/** At first more often: what grows without end does so at once. */
const FIRST_MS = 20
/** So many looks in a row at the most processes that are allowed: something forks and does not stop. */
const FULL_LOOKS = 20
/** Never more of the time than this goes into looking. */
const SHARE = 0.1

/** Looks again and again, and ends what uses more than it may: the limits that the kernel does not keep for us here. */
export function watch(watched: Watched, limits: Limits): Watch {
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
    if (watched.written() > limits.writtenBytes) return 'written'
    if (used.residentBytes > limits.memoryBytes && watched.exactBytes() > limits.memoryBytes) return 'memory'
    return undefined
  }
  const look = () => {
    const before = performance.now()
    const used = watched.look()
    const why = used && judge(used)
    if (why !== undefined) return watched.end(why)
    const took = performance.now() - before
    pause = Math.min(EVERY_MS, pause + FIRST_MS)
    timer = setTimeout(look, Math.max(pause, took / SHARE)).unref()
  }
  let pause = FIRST_MS
  let timer = setTimeout(look, pause).unref()
  const clock = pausableTimer(limits.wallMs, () => watched.end('wall'), { unref: true })
  return {
    stop() {
      clearTimeout(timer)
      clock.stop()
    },
    glance(used = watched.look()) {
      if (used) count(used)
    },
    pauseClock: clock.pause,
    most: () => most,
  }
}
