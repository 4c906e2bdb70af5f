import { decidePlace } from '../guards/policy/command-changes.ts'
import type { Decision } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import { judgeLateClaims } from './late-claims.ts'
import { refusal } from './refusal.ts'

/**
 * Judges what a call would create and did not claim to: a file that was there when its claims were judged, a file in
 * the place of a directory, a directory on the way. Throws `denied`, or returns the question for a person.
 */
export function judgeUnclaimedCreations(
  policy: Policy,
  toolId: string,
  claims: readonly Claim[],
  changes: readonly Change[],
): { readonly claims: readonly Claim[]; readonly decision: Decision } | undefined {
  const claimedPaths = new Set(
    claims.flatMap(claim => (claim.action === 'create' || claim.creates ? [claim.resource] : [])),
  )
  const unclaimedChanges = changes.filter(({ path }) => !claimedPaths.has(path))
  for (const { kind, path } of unclaimedChanges) if (kind === 'mkdir') ensureDirectory(policy, toolId, path)
  const files = unclaimedChanges.flatMap(({ kind, path: resource }): readonly Claim[] =>
    kind === 'create' || kind === 'move'
      ? [{ action: 'create', resource, ...(kind === 'move' && { link: true }) }]
      : [],
  )
  const decision = judgeLateClaims(policy, toolId, files)
  return decision && { claims: files, decision }
}

/** A directory is only created for its contents, which are judged themselves: only a deny of its own holds. */
function ensureDirectory(policy: Policy, toolId: string, path: string): void {
  const { verdict, why } = decidePlace(policy, { action: 'create', resource: path })
  if (verdict === 'deny') throw refusal(toolId, { verdict, why: `create ${path}: ${why}`, filters: [] })
}
