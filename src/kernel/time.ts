let [at, text] = [Number.NaN, '']

/** A time as people and the journal write it. Formatting costs as much as writing a record, so the last one is remembered. */
export function isoTime(ms: number): string {
  if (ms !== at) [at, text] = [ms, new Date(ms).toISOString()]
  return text
}

/**
 * The moment that it always is in deterministic mode, in milliseconds since 1970: the beginning of 1980. Archives cannot
 * hold an earlier one, and tools that are told an earlier one by `SOURCE_DATE_EPOCH` fail.
 */
export const FIXED_TIME = Date.UTC(1980, 0, 1)

/** How long a call worked: its time without that in which a person thought. */
export const workedMs = ({
  durationMs,
  askedMs = 0,
}: {
  readonly durationMs: number
  readonly askedMs?: number
}): number => Math.max(0, Math.round((durationMs - askedMs) * 1000) / 1000)
