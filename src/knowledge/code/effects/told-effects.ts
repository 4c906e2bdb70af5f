import { effectsSummary, type EditEffects, type Listed } from '../../../kernel/edit-effects.ts'
import type { FoundEffects } from './types.ts'

const MOST = { introduced: 50, cured: 20, callers: 20, tests: 20 }

/**
 * What is found, without what lies in files that may not be read, and as short as an answer can carry it.
 * `undecided`: places that a refactoring left, though they may be meant.
 */
export function toldEffects(found: FoundEffects, mayRead: (path: string) => boolean, undecided = 0): EditEffects {
  const readable = <T extends { readonly path: string }>(list: readonly T[]) => list.filter(({ path }) => mayRead(path))
  const { introduced, cured, callers, tests, complete, left, unjudged, why } = found
  const told = {
    introduced: listed(readable(introduced), MOST.introduced),
    cured: listed(readable(cured), MOST.cured),
    callers: listed(readable(callers), MOST.callers),
    tests: listed(tests.filter(mayRead), MOST.tests),
    complete,
    left,
    unjudged,
    ...(why !== undefined && { why }),
  }
  return { summary: effectsSummary(told, undecided), ...told }
}

const listed = <T>(list: readonly T[], most: number): Listed<T> => ({ total: list.length, first: list.slice(0, most) })
