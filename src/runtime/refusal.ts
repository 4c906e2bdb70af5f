import { decide, type Decision } from '../guards/policy/decide.ts'
import { permitsInside } from '../guards/policy/unreadable-paths.ts'
import { listingPolicy, type Policy } from '../guards/policy/policy.ts'
import type { Change } from '../kernel/change.ts'
import type { Action, Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'

/** Returns the error for a call that policy denies. */
export function refusal(toolId: string, decision: Decision): ToolError {
  const { why, missing, rule } = decision
  const permissions = missingIn(decision)
  const [kind, them] = permissions.length > 1 ? ['permissions', 'them'] : ['permission', 'it']
  return new ToolError('denied', `'${toolId}' is not allowed: ${why}`, {
    hint: missing
      ? `It needs the ${kind} ${permissions.join(', ')}: add ${them} to the permissions of the session (${allowing(permissions)} on the command line)`
      : `${rule ? 'No permission opens this; leave' : 'Leave'} it as it is, or have a person change the policy`,
    details: {
      ...(rule && { rule }),
      ...(missing && { permission: missing }),
      ...(permissions.length > 1 && { permissions }),
    },
  })
}

/** Returns every permission that a decision reports as missing. */
export const missingIn = ({ missing, alsoMissing = [] }: Decision): readonly string[] =>
  missing === undefined ? [] : [missing, ...alsoMissing]

/** Returns the command-line options that grant permissions. */
export const allowing = (permissions: readonly string[]): string =>
  permissions.map(each => `--allow '${each}'`).join(' ')

/**
 * Words a decision for the caller: it names what the caller wrote. The target of a link is named only to callers who
 * may know of it; so are the rule and the permission that would name it.
 */
export function describeDecision(
  policy: Policy,
  decision: Decision,
  { stated, claims }: { readonly stated: readonly Claim[]; readonly claims: readonly Claim[] },
): Decision {
  const { claim, verdict, filters } = decision
  const writtenResource = claim && resourceAsWritten(stated[claims.indexOf(claim)]?.resource, claim)
  if (!claim || writtenResource === undefined || !FILES.has(claim.action) || isNamed(claim.resource, writtenResource))
    return decision
  if (decide(listingPolicy(policy), [{ action: 'read', resource: claim.resource }]).verdict === 'allow')
    return {
      ...decision,
      why: `${claim.action} ${writtenResource}: it leads to ${claim.resource}, and ${decision.why}`,
    }
  return { verdict, filters, why: `${claim.action} ${writtenResource}: it leads to what may not be read` }
}

const FILES: ReadonlySet<Action> = new Set(['read', 'create', 'write'])

/** The resource as written, without the directory mark if a file is meant. */
const resourceAsWritten = (written: string | undefined, { resource }: Claim): string | undefined =>
  resource.endsWith('**') ? written : written?.replace(/\/\*\*$/, '')

/** Reports whether the caller already wrote this place. */
function isNamed(resource: string, written: string): boolean {
  const tidy = written
    .split('/')
    .filter((name, at) => at === 0 || (name !== '' && name !== '.'))
    .join('/')
  return tidy === resource || tidy.endsWith(`/${resource}`) || ['', '.', '**'].includes(resource)
}

/** Judges the changes within a directory that was claimed as a whole, path by path. */
export function ensurePermitted(
  policy: Policy,
  { verdict }: Decision,
  claims: readonly Claim[],
  changes: readonly Change[],
): void {
  if (changes.length === 0 || !claims.some(({ resource }) => resource.endsWith('**'))) return
  if (claims.some(({ later }) => later)) return
  const permits = permitsInside(policy, 'write', verdict)
  const forbiddenPath = changes.flatMap(({ path, from = path }) => [path, from]).find(path => !permits(path))
  if (forbiddenPath !== undefined)
    throw new ToolError('denied', `'${forbiddenPath}' may not be changed`, {
      hint: 'Leave it out, or have the policy changed',
    })
}
