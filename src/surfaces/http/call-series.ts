import type { JournalRecord } from '../../machine/journal/chain.ts'
import { isCall } from '../../machine/journal/record.ts'
import { CALL_STATES, callFilter } from './call-rows.ts'

interface Bucket {
  readonly from: string
  readonly allowed: number
  readonly answered: number
  readonly refused: number
  readonly failed: number
  /** Time that the calls took. */
  readonly ms: number
  /** Bytes of their answers. */
  readonly bytes: number
}

/** Counts calls over a time in steps of the same length, the newest last. Stops at the first record before it. */
export function callSeries(
  newestFirst: Iterable<JournalRecord>,
  { from, to, steps }: { readonly from: number; readonly to: number; readonly steps: number },
): readonly Bucket[] {
  const length = (to - from) / steps
  const buckets = Array.from({ length: steps }, (_, at) => ({
    from: new Date(from + at * length).toISOString(),
    allowed: 0,
    answered: 0,
    refused: 0,
    failed: 0,
    ms: 0,
    bytes: 0,
  }))
  const isState = CALL_STATES.map(state => [state, callFilter({ agent: undefined, state, text: undefined })] as const)
  for (const record of newestFirst) {
    if (!isCall(record)) continue
    const at = Date.parse(record.time)
    if (at < from) break
    const bucket = buckets[Math.min(steps - 1, Math.floor((at - from) / length))]
    if (!bucket) continue
    // A call that a person has answered is counted as that, and not as allowed.
    const [state = 'allowed'] = [...isState].toReversed().find(([, is]) => is(record)) ?? []
    bucket[state]++
    bucket.ms += record.durationMs
    bucket.bytes += record.bytes ?? 0
  }
  return buckets
}
