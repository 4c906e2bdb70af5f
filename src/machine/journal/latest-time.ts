import { isCall } from './record.ts'
import { newestFirst } from './segments.ts'

const MOST_RECORDS = 500

/** Returns the latest time in the newest records of a journal, in milliseconds since 1970: a clock may be set back. */
export function latestTime(dir: string): number {
  let latest = 0
  let recordsLeft = MOST_RECORDS
  for (const record of newestFirst(dir)) {
    if (recordsLeft-- === 0) break
    if (isCall(record)) latest = Math.max(latest, Date.parse(record.startedAt) || 0)
  }
  return latest
}
