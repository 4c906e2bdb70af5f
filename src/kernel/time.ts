let [at, text] = [Number.NaN, '']

/**
 * Formats a time as people and the journal write it. Formatting costs as much as writing a record, so the last result
 * is cached.
 */
export function isoTime(ms: number): string {
  if (ms !== at) [at, text] = [ms, new Date(ms).toISOString()]
  return text
}

/**
 * The fixed time of deterministic mode, in milliseconds since 1970: the beginning of 1980. Archives cannot hold an
 * earlier time, and some tools fail on an earlier `SOURCE_DATE_EPOCH`.
 */
export const FIXED_TIME = Date.UTC(1980, 0, 1)

/**
 * Monotonic, for durations only. `performance` is the same clock, but its first use loads Node's measuring of everything
 * else: more than a millisecond of a command.
 */
export function elapsedMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1e6
}

/** Returns how long a call worked: its duration without the time that a person took to answer. */
export const workedMs = ({
  durationMs,
  askedMs = 0,
}: {
  readonly durationMs: number
  readonly askedMs?: number
}): number => Math.max(0, Math.round((durationMs - askedMs) * 1000) / 1000)

/** Only waited on, never notified. */
const clock = new Int32Array(new SharedArrayBuffer(4))

/** Blocks this thread, which does nothing else meanwhile. */
export function sleepSync(ms: number): void {
  Atomics.wait(clock, 0, 0, ms)
}
