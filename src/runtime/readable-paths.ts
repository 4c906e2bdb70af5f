import { decide, permitsInside } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import { listingPolicy } from '../guards/policy/secret-reading.ts'
import type { Verdict } from '../guards/policy/verdict.ts'
import type { Claim } from '../kernel/claim.ts'
import { once } from '../kernel/once.ts'
import { isSecretFile } from '../kernel/secret-files.ts'
import { isRead } from './declared.ts'

export interface ReadablePaths {
  /** How the call's own reading was decided. */
  decided(): Verdict
  mayRead(path: string): boolean
  /** Whether the name of a file may be shown. */
  mayList(path: string): boolean
}

/** What one call may read of what it comes to, once it is known whether somebody approved it. */
export function readablePaths(policy: Policy, claims: readonly Claim[], isApproved: () => boolean): ReadablePaths {
  const asked = once(() => decide(policy, claims.filter(isRead)).verdict)
  const decided = () => (isApproved() ? asked() : 'allow')
  const isOpen = permitsInside(policy, 'read', 'allow')
  const mayList = (path: string) => permitsInside(listingPolicy(policy), 'read', decided())(path)
  const isNamed = (path: string) => claims.some(claim => isRead(claim) && claim.resource === path)
  return {
    decided,
    mayList,
    // Approval for a directory covers its contents, except what a rule denies and what holds secrets.
    mayRead: path => isOpen(path) || (decided() !== 'allow' && mayList(path) && (!isSecretFile(path) || isNamed(path))),
  }
}
