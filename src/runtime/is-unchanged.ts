import { decide } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Change } from '../kernel/change.ts'
import type { Claim, Effect } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'

/**
 * Reports whether a call that only changes files would change none, and may say so: its caller may read them, so the
 * answer tells nothing new about their content.
 */
export function isUnchanged<Engines>(
  policy: Policy,
  tool: AnyTool<Engines>,
  claims: readonly Claim[],
  changes: readonly Change[],
): boolean {
  if (changes.length > 0 || (tool.uses ?? []).length > 0 || !tool.effects.every(isOfFiles)) return false
  return claims.every(({ resource, later }) => {
    const read: Claim = { action: 'read', resource }
    return later !== true && decide(policy, [read]).verdict === 'allow'
  })
}

const isOfFiles = (effect: Effect): boolean => effect === 'read' || effect === 'create' || effect === 'write'
