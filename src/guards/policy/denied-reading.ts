import { foldPath } from '../../kernel/fold-name.ts'
import { denyingMatcher } from './matcher.ts'
import type { Rule } from './rule.ts'

/** Returns the globs of all places that a rule denies reading. */
export const deniedGlobs = (rules: readonly Rule[]): readonly string[] =>
  rules.flatMap(({ verdict, action, path }) =>
    verdict === 'deny' && path !== undefined && (action === 'read' || action === '*') ? [path] : [],
  )

/** Reports whether one of these globs denies reading a path. */
export function deniedBy(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map(denyingMatcher)
  return path => {
    const alias = foldPath(path)
    return matchers.some(({ touches }) => touches(path, alias) !== 'none')
  }
}
