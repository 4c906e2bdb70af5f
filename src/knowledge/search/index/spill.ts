import type { SegmentStore } from './segment-store.ts'

/**
 * Gives up texts, the longest first, until what is held is no more than this: they are read from their files from then
 * on. What finds places in them stays, and so does the segment that is still open. True if any was given up.
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
