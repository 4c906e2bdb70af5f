/** Counts what is written without an answer, and tells once it is too much. */
export interface FloodGate {
  count(bytes: number): void
  /** An answer came: what was written until now was worth it. */
  reset(): void
}

const WINDOW_MS = 10_000

export function floodGate(mostBytes: number, tell: () => void): FloodGate {
  let bytes = 0
  let since = performance.now()
  const reset = () => {
    bytes = 0
    since = performance.now()
  }
  return {
    reset,
    count(more) {
      if (performance.now() - since > WINDOW_MS) reset()
      bytes += more
      if (bytes > mostBytes) tell()
    },
  }
}
