import { decide } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Claim, Effect } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import type { Change } from '../kernel/change.ts'

/**
 * Reports whether a call only writes one file, and writes what the file has already. Nothing else may be claimed, not
 * even a secret to fill in, and the caller may read the file: the answer tells nothing new about its content.
 */
export function isUnchanged<Engines>(
  policy: Policy,
  tool: AnyTool<Engines>,
  claims: readonly Claim[],
  changes: readonly Change[],
  rewritten: () => readonly string[],
): boolean {
  if (changes.length > 0 || (tool.uses ?? []).length > 0 || !tool.effects.every(isOfFiles) || !claims.every(isPlain))
    return false
  const [file, ...others] = new Set(claims.filter(({ action }) => action !== 'read').map(({ resource }) => resource))
  if (file === undefined || others.length > 0) return false
  const readings = claims.map(({ resource }): Claim => ({ action: 'read', resource }))
  if (readings.some(reading => decide(policy, [reading]).verdict !== 'allow')) return false
  return rewritten().includes(file)
}

const isOfFiles = (effect: Effect): boolean => effect === 'read' || effect === 'create' || effect === 'write'

/** Reports whether a claim is known before the call runs, and on one file. */
const isPlain = ({ action, later, restores, memory, resource }: Claim): boolean =>
  (action === 'read' || action === 'create' || action === 'write') &&
  !later &&
  !restores &&
  !memory &&
  !resource.includes('*')
