let [at, text] = [Number.NaN, '']

/** A time as people and the journal write it. Formatting costs as much as writing a record, so the last one is remembered. */
export function isoTime(ms: number): string {
  if (ms !== at) [at, text] = [ms, new Date(ms).toISOString()]
  return text
}
