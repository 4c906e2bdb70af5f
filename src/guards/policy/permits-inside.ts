import type { Action } from '../../kernel/claim.ts'
import { isSecretFile } from '../../kernel/secret-files.ts'
import { decide, UNTIDY } from './decide.ts'
import { levelsOf } from './hidden-paths.ts'
import type { Policy } from './policy.ts'
import { isStricter, type Verdict } from './verdict.ts'

/**
 * Reports whether a path inside a claimed directory may be touched: never if it is denied, and not if it asks while the
 * claim itself was allowed without a question.
 */
export const permitsInside = (policy: Policy, action: Action, decided: Verdict): ((path: string) => boolean) => {
  const isOpen = action === 'read' && opensAllReading(policy)
  return path => {
    // Nothing could close it. A listing asks about every name.
    if (isOpen && !UNTIDY.test(path) && !(holdsSecretsSomewhere(policy) && isSecretFile(path))) return true
    const { verdict } = decide(policy, [{ action, resource: path }])
    return verdict !== 'deny' && !isStricter(verdict, decided)
  }
}

const open = new WeakMap<Policy, boolean>()

/** Reports whether no default and no rule of a policy closes any place, so that only names of secret files matter. */
function opensAllReading(policy: Policy): boolean {
  const known = open.get(policy)
  if (known !== undefined) return known
  const found = levelsOf(policy).every(
    ({ defaults, rules, protection }) =>
      defaults.read === 'allow' &&
      protection?.platform !== 'win32' &&
      rules.byAction.read.every(({ verdict }) => verdict === 'allow'),
  )
  open.set(policy, found)
  return found
}

const holdsSecretsSomewhere = (policy: Policy): boolean =>
  policy.asksForSecrets === true || (policy.within !== undefined && holdsSecretsSomewhere(policy.within))
