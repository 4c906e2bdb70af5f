import type { SegmentStore } from './segment-store.ts'

/**
 * Drops texts in memory, the longest first, until memory is within the limit. Their files are read from then on. Lookup tables
 * and the open segment stay. Returns true if any text was dropped.
 */
export function spill(store: SegmentStore, memoryBytes: number): boolean {
  let { all } = store.bytes()
  if (all <= memoryBytes) return false
  const full = [...store.held.values()].filter(({ segment }) => segment.text && segment.postings)
  const longest = full.toSorted((one, other) => other.textBytes - one.textBytes)
  for (const { segment, textBytes } of longest) {
    if (all <= memoryBytes) break
    store.replace({ ...segment, text: undefined })
    all -= textBytes
  }
  return longest.length > 0
}
