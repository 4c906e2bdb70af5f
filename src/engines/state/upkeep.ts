import { collectGarbage, DEFAULT_MAX_AGE_MS, DEFAULT_MAX_BYTES, type GcOptions } from './gc.ts'
import { addGrowth } from './growth.ts'

export interface StateBounds {
  /** Over all workspaces together. */
  readonly maxBytes: number
  readonly maxAgeMs: number
}

/** Keeps the state directory within its bounds while it grows, without looking at it in between. */
export interface Upkeep {
  /** What holds from now on. */
  keepWithin(bounds: StateBounds): void
  /** Something was written to the state. */
  grew(bytes: number): void
  /** Makes room where it is needed; costs nothing where it is not. Called between calls, when nothing is half done. */
  tidy(): void
  /** How large a file of the journal may become: only those that are closed can go. */
  segmentBytes(): number
}

/** Room is made when this much of the bound is used, and so much that the next look is far away. */
const HIGH = 0.9
const LOW = 0.8
/** The part of the bound that a file of the journal may take. */
const SEGMENT = 1 / 32
const MOST_SEGMENT = 64 << 20
/** Where it went wrong it will go wrong again. */
const PAUSE_MS = 60_000

export function createUpkeep(home: string, pruneCommits: NonNullable<GcOptions['pruneCommits']>): Upkeep {
  let bounds: StateBounds = { maxBytes: DEFAULT_MAX_BYTES, maxAgeMs: DEFAULT_MAX_AGE_MS }
  let isDue = false
  let notBefore = -Infinity

  const collect = (): void => {
    const { maxBytes, maxAgeMs } = bounds
    collectGarbage(home, { now: Date.now(), maxBytes: Math.floor(maxBytes * LOW), maxAgeMs, pruneCommits, waitMs: 0 })
  }

  return {
    keepWithin(given) {
      bounds = given
    },
    grew(bytes) {
      try {
        if (addGrowth(home, bytes) > bounds.maxBytes * HIGH) isDue = true
      } catch {
        // A disk that cannot take a byte more is told of by what the byte was for.
        isDue = true
      }
    },
    tidy() {
      if (!isDue || performance.now() < notBefore) return
      isDue = false
      try {
        collect()
      } catch {
        // No reason to fail a call that is over; `doctor` says what the state takes, and `gc` why it cannot be less.
        notBefore = performance.now() + PAUSE_MS
      }
    },
    segmentBytes: () => Math.min(MOST_SEGMENT, Math.floor(bounds.maxBytes * SEGMENT)),
  }
}
