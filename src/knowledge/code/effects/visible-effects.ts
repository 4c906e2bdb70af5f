import { effectsSummary, type EditEffects, type Listed } from '../../../kernel/edit-effects.ts'
import type { FoundEffects } from './types.ts'

const MOST = { introduced: 50, cured: 20, callers: 20, tests: 20 }

/**
 * The findings without files that may not be read, shortened for a result. `undecidedCount`: places that a refactoring left
 * though they may refer to its symbol.
 */
export function visibleEffects(
  effects: FoundEffects,
  mayRead: (path: string) => boolean,
  undecidedCount = 0,
): EditEffects {
  const readable = <T extends { readonly path: string }>(list: readonly T[]) => list.filter(({ path }) => mayRead(path))
  const { introduced, cured, callers, tests, complete, left, unjudged, why } = effects
  const visibleLists = {
    introduced: listFirst(readable(introduced), MOST.introduced),
    cured: listFirst(readable(cured), MOST.cured),
    callers: listFirst(readable(callers), MOST.callers),
    tests: listFirst(tests.filter(mayRead), MOST.tests),
    complete,
    left,
    unjudged,
    ...(why !== undefined && { why }),
  }
  return { summary: effectsSummary(visibleLists, undecidedCount), ...visibleLists }
}

const listFirst = <T>(list: readonly T[], most: number): Listed<T> => ({
  total: list.length,
  first: list.slice(0, most),
})
