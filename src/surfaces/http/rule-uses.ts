import { isCall } from '../../machine/journal/record.ts'
import { newestFirst } from '../../machine/journal/segments.ts'
import type { Toolkit } from '../../toolkit.ts'

const LAST_CALLS = 1000

/** Counts which rules decided the last calls, and how often none did. */
export function ruleUses({ state }: Toolkit) {
  const uses: Record<string, { count: number; last: string }> = {}
  const byDefault: Record<string, number> = {}
  let looked = 0
  for (const record of newestFirst(state.journal)) {
    if (looked === LAST_CALLS) break
    if (!isCall(record)) continue
    looked++
    const rules = new Set([record.verdict?.rule, record.approval?.rule].filter(rule => rule !== undefined))
    for (const rule of rules) (uses[rule] ??= { count: 0, last: record.time }).count++
    const verdict = record.verdict?.verdict
    if (rules.size === 0 && verdict !== undefined) byDefault[verdict] = (byDefault[verdict] ?? 0) + 1
  }
  return { uses, byDefault }
}
