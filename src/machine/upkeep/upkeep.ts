import { addGrowth, DEFAULT_BOUNDS, growthOf, type StateBounds } from './growth.ts'

/** Keeps the state directory within its bounds while it grows, without looking at it in between. */
export interface Upkeep {
  /** What holds from now on. */
  keepWithin(bounds: StateBounds): void
  /** Something was written to the state. */
  grew(bytes: number): void
  /** Makes room where it is needed, in the background; costs next to nothing where it is not. Called after each call. */
  tidy(): void
  /** Waits for what is being tidied. */
  settled(): Promise<void>
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

export function createUpkeep(home: string): Upkeep {
  let bounds = DEFAULT_BOUNDS
  let isDue = false
  let notBefore = -Infinity
  let tidying: Promise<void> | undefined

  const collect = async (): Promise<void> => {
    const { maxBytes, maxAgeMs } = bounds
    try {
      const [{ collectGarbage }, { pruneWorkspace }] = await Promise.all([
        import('./gc.ts'),
        import('./prune-workspace.ts'),
      ])
      const within = { maxBytes: Math.floor(maxBytes * LOW), maxAgeMs }
      collectGarbage(home, { ...within, now: Date.now(), pruneCommits: pruneWorkspace, waitMs: 0 })
    } catch {
      // No reason to fail a call that is over; `doctor` says what the state takes, and `gc` why it cannot be less.
      notBefore = performance.now() + PAUSE_MS
    }
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
      if (tidying || performance.now() < notBefore) return
      // Caches are written by other processes.
      if (!isDue && growthOf(home) <= bounds.maxBytes * HIGH) return
      isDue = false
      tidying = collect().finally(() => (tidying = undefined))
    },
    settled: async () => tidying,
    segmentBytes: () => Math.min(MOST_SEGMENT, Math.floor(bounds.maxBytes * SEGMENT)),
  }
}
