import type { Action } from '../../kernel/claim.ts'
import type { Policy } from './policy.ts'
import type { CompiledRule } from './rule.ts'

/** Whether a policy denies an action whatever it is done to; false where that cannot be told from its rules. */
export function deniesAll(policy: Policy, action: Action): boolean {
  if (policy.within && deniesAll(policy.within, action)) return true
  const rules = policy.rules.byAction[action]
  if (rules.some(rule => rule.verdict === 'deny' && isAboutAll(rule, action))) return true
  const isLifted = rules.some(rule => rule.verdict !== 'deny' && !rule.narrows)
  return policy.defaults[action] === 'deny' && !isLifted
}

const isAboutAll = ({ matcher }: CompiledRule, action: Action): boolean =>
  action === 'read' || action === 'create' || action === 'write' ? matcher.covers('') : matcher.prefix?.length === 0
