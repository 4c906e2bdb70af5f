import { isTestPath } from '../../model/test-path.ts'
import type { Affected } from './affected-files.ts'

const NAMED = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.\w+$|[.-](?:test|spec)\.[cm]?[jt]sx?$/i
const HAS_TESTS = /\b(?:test|it|describe|suite)(?:\.\w+)*\s*\(|^[ \t]*(?:async\s+)?def\s+test_/m

/** The files of tests among these, those first that name what was changed, and of those the nearest. */
export function coveringTests(
  affected: readonly Affected[],
  touched: ReadonlySet<string>,
  read: (path: string) => string | undefined,
): readonly string[] {
  const words = [...touched].filter(name => /^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u.test(name))
  const mention =
    words.length === 0 ? undefined : new RegExp(`(?<![\\w$])(?:${words.map(escaped).join('|')})(?![\\w$])`)
  const tests = affected.flatMap(({ path, distance }) => {
    if (!Number.isFinite(distance) || !(NAMED.test(path) || isTestPath(path))) return []
    const text = read(path) ?? ''
    if (!NAMED.test(path) && !HAS_TESTS.test(text)) return []
    return [{ path, distance, rank: mention?.test(text) ? 0 : 1 }]
  })
  return tests.toSorted((one, other) => one.rank - other.rank || one.distance - other.distance).map(({ path }) => path)
}

const escaped = (name: string): string => name.replaceAll('$', '\\$')
