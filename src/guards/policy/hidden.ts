import type { Hides } from '../../kernel/hides.ts'
import { foldPath } from './fold-name.ts'
import type { Policy } from './policy.ts'
import type { CompiledRule } from './rule.ts'

const known = new WeakMap<Policy, Hides | undefined>()

/**
 * What a command must not read: the places that a rule denies, or lets nobody read without asking. A default is not a
 * place: who may run commands in a workspace may read what no rule speaks of.
 */
export function hiddenBy(policy: Policy): Hides | undefined {
  if (!known.has(policy)) known.set(policy, hidesOf(rulesOf(policy)))
  return known.get(policy)
}

const rulesOf = ({ rules, within }: Policy): readonly CompiledRule[] => [
  ...rules.byAction.read.filter(({ verdict, path }) => verdict !== 'allow' && path !== undefined),
  ...(within ? rulesOf(within) : []),
]

function hidesOf(rules: readonly CompiledRule[]): Hides | undefined {
  if (rules.length === 0) return undefined
  return {
    matches(path) {
      const alias = foldPath(path)
      return rules.some(({ matcher }) => matcher.touches(path, alias) !== 'none')
    },
    covers: directory => rules.some(({ matcher }) => matcher.covers(directory)),
    reaches: directory => rules.some(({ matcher }) => matcher.reaches(directory)),
    names: directory => rules.some(({ matcher }) => matcher.names(directory)),
  }
}
