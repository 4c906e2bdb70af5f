import { decide, type Decision } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Change } from '../kernel/change.ts'
import { creates, linkCreates, linkWrites, writes, type Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'

const SHOWN = 20

/** Adds the other names of each place to claims on real paths. */
export type NamesClaims = (claims: readonly Claim[]) => readonly Claim[]

/**
 * Returns the claims that a call would have stated had it known what it finds; undefined if it claimed nothing of the
 * kind.
 */
export function lateClaims(
  claims: readonly Claim[],
  changes: readonly Change[],
  nameClaims: NamesClaims = found => found,
): readonly Claim[] | undefined {
  return claims.some(({ later }) => later) ? nameClaims(changes.flatMap(claimsOf)) : undefined
}

/**
 * Judges the changes that a call found, path by path. Throws `denied` with a list if some are not allowed, and returns
 * the question for a person if some need approval.
 */
export function judgeLateClaims(policy: Policy, toolId: string, claims: readonly Claim[]): Decision | undefined {
  const deniedClaims = claims
    .map(claim => ({ path: claim.resource, decision: decide(policy, [claim]) }))
    .filter(({ decision }) => decision.verdict === 'deny')
  if (deniedClaims.length > 0) {
    const reasons = deniedClaims.slice(0, SHOWN).map(({ decision }) => decision.why)
    const missing = deniedClaims.flatMap(({ decision }) => decision.missing ?? [])
    const more = deniedClaims.length > SHOWN ? ` and ${deniedClaims.length - SHOWN} more` : ''
    throw new ToolError(
      'denied',
      `'${toolId}' changes nothing, because some of its changes are not allowed: ${reasons.join('; ')}${more}`,
      {
        hint:
          missing.length > 0
            ? `It needs the permissions ${missing.slice(0, SHOWN).join(', ')}: add them to the session (--allow on the command line)`
            : 'All of it lands or nothing: change the policy, or make the change without these',
        details: { paths: deniedClaims.map(({ path }) => path), ...(missing.length > 0 && { permissions: missing }) },
      },
    )
  }
  const decision = decide(policy, claims)
  return decision.verdict === 'ask' ? decision : undefined
}

/** A directory is only created to hold other changes. */
function claimsOf({ kind, path, from }: Change): readonly Claim[] {
  if (kind === 'mkdir') return []
  if (kind === 'create') return creates(path)
  if (kind === 'move') return [...linkCreates(path), ...linkWrites(...(from === undefined ? [] : [from]))]
  return kind === 'delete' ? linkWrites(path) : writes(path)
}
