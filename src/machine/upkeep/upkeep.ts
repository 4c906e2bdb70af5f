import { elapsedMs } from '../../kernel/time.ts'
import { addGrowth, DEFAULT_BOUNDS, growthOf, type StateBounds } from './growth.ts'

/** Keeps the state directory within its limits as it grows, without scanning it in between. */
export interface Upkeep {
  /** Sets the limits from now on. */
  keepWithin(bounds: StateBounds): void
  /** Counts a write to the state. */
  grew(bytes: number): void
  /** Makes room in the background if needed; otherwise nearly free. Called after each call. */
  tidy(): void
  /** Waits for running collections. */
  settled(): Promise<void>
  /** Returns the maximum size of a journal file: only closed files can be removed. */
  segmentBytes(): number
}

/** Room is made at this share of the limit, enough to keep the next collection far away. */
const HIGH = 0.9
const LOW = 0.8
/** Share of the limit for one journal file. */
const SEGMENT = 1 / 32
const MOST_SEGMENT = 64 << 20
/** A failure would repeat, so the next attempt waits. */
const PAUSE_MS = 60_000
/** Caches grow without calls of `grew`; their growth is looked up at most this often. */
const LOOK_MS = 50

export function createUpkeep(home: string): Upkeep {
  let bounds = DEFAULT_BOUNDS
  let isDue = false
  let notBefore = -Infinity
  let nextLook = -Infinity
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
      // No reason to fail a finished call; `doctor` shows the size of the state, and `gc` why it cannot shrink.
      notBefore = elapsedMs() + PAUSE_MS
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
        // On a full disk the write itself reports the failure.
        isDue = true
      }
    },
    tidy() {
      const now = elapsedMs()
      if (tidying || now < notBefore) return
      if (!isDue) {
        if (now < nextLook) return
        nextLook = now + LOOK_MS
        if (growthOf(home) <= bounds.maxBytes * HIGH) return
      }
      isDue = false
      tidying = collect().finally(() => (tidying = undefined))
    },
    settled: async () => tidying,
    segmentBytes: () => Math.min(MOST_SEGMENT, Math.floor(bounds.maxBytes * SEGMENT)),
  }
}
