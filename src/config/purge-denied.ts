import { deniedBy, deniedGlobs } from '../guards/policy/denied-reading.ts'
import type { Rule } from '../guards/policy/rule.ts'
import { denyPlaces } from '../machine/state/denied-places.ts'

/** Purges newly denied files from the indexes of a workspace; returns a test for files that they may not keep. */
export function purgeDenied(state: string, rules: readonly Rule[]): (path: string) => boolean {
  const globs = deniedGlobs(rules)
  denyPlaces(state, globs)
  return deniedBy(globs)
}
