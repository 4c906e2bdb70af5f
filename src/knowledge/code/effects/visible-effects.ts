import { effectsSummary, type EditEffects, type Listed } from '../../../kernel/edit-effects.ts'
import type { FoundEffects } from './types.ts'

const MOST = { introduced: 50, cured: 20, callers: 20, tests: 20 }

/**
 * The findings without files that may not be read, shortened for a result. `undecided`: places that a refactoring left
 * though they may refer to its symbol.
 */
export function visibleEffects(found: FoundEffects, mayRead: (path: string) => boolean, undecided = 0): EditEffects {
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
