interface PausableTimer {
  stop(): void
  /** Stops the timer until the returned function is called. Several callers may pause at once. */
  pause(): () => void
}

/** The longest delay of a platform timer. */
const LONGEST_MS = 2 ** 31 - 1

/** Calls `tell` after this time, not counting pauses. */
export function pausableTimer(ms: number, tell: () => void, options: { readonly unref?: true } = {}): PausableTimer {
  let msLeft = Math.min(ms, LONGEST_MS)
  let since = 0
  let pauses = 0
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    since = performance.now()
    timer = setTimeout(tell, msLeft)
    if (options.unref) timer.unref()
  }
  start()
  return {
    stop() {
      pauses = Number.POSITIVE_INFINITY
      clearTimeout(timer)
    },
    pause() {
      if (pauses++ === 0) {
        clearTimeout(timer)
        msLeft = Math.max(0, msLeft - (performance.now() - since))
      }
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        if (--pauses === 0) start()
      }
    },
  }
}
