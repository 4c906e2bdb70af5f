import type { PatternOptions } from '../pattern/types.ts'

const LONGEST_PATTERN = 200
/** Patterns without repetitions or sets: nothing to backtrack on or slow to compile. */
const PLAIN = /^[^\\[\]{}*+?]*$/

/** Reports whether a pattern is certainly searched fast. */
export function isPlain({ patterns, regex }: PatternOptions): boolean {
  const length = patterns.reduce((sum, pattern) => sum + pattern.length, 0)
  return length <= LONGEST_PATTERN && (!regex || patterns.every(pattern => PLAIN.test(pattern)))
}
