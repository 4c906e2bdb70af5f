import { permitsInside, type Decision } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Change } from '../kernel/change.ts'
import type { Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'

/** What a call is told that policy denies. */
export const refusal = (toolId: string, { why, missing, rule }: Decision): ToolError =>
  new ToolError('denied', `'${toolId}' is not allowed: ${why}`, {
    hint: missing
      ? `It needs the permission ${missing}: add it to the permissions of the session (--allow '${missing}' on the command line)`
      : 'No permission opens this; leave it as it is, or have a person change the policy',
    details: { ...(rule && { rule }), ...(missing && { permission: missing }) },
  })

/** What a call changed within a directory that it claimed as a whole is judged path by path. */
export function demandPermitted(
  policy: Policy,
  { verdict }: Decision,
  claims: readonly Claim[],
  changes: readonly Change[],
): void {
  if (changes.length === 0 || !claims.some(({ resource }) => resource.endsWith('**'))) return
  if (claims.some(({ later }) => later)) return
  const permits = permitsInside(policy, 'write', verdict)
  const refused = changes.flatMap(({ path, from = path }) => [path, from]).find(path => !permits(path))
  if (refused !== undefined)
    throw new ToolError('denied', `'${refused}' may not be changed`, {
      hint: 'Leave it out, or have the policy changed',
    })
}
