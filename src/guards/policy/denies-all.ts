import type { Action } from '../../kernel/claim.ts'
import type { Policy } from './policy.ts'

/** Reports whether a policy denies an action on every resource; false if its rules cannot tell. */
export function deniesAll(policy: Policy, action: Action): boolean {
  if (policy.within && deniesAll(policy.within, action)) return true
  const rules = policy.rules.byAction[action]
  if (rules.some(({ verdict, matcher }) => verdict === 'deny' && matcher.covers(''))) return true
  const isLifted = rules.some(rule => rule.verdict !== 'deny' && !rule.narrows)
  return policy.defaults[action] === 'deny' && !isLifted
}
