import { findPlaceholders } from '../guards/secrets/placeholders.ts'
import type { Action, Claim } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'

/** The claims that a tool states. One that claims more than it declares is a defect, and nothing of it runs. */
export function declared(tool: AnyTool<never>, claims: readonly Claim[]): readonly Claim[] {
  const undeclared = claims.find(({ action }) => action === 'reveal' || !tool.effects.includes(action))
  if (undeclared) throw new Error(`${tool.name} claims '${undeclared.action}' and does not declare it`)
  return claims
}

/** A path is judged, shown and journaled as it is written, so that no part of it can be a secret. */
export function demandPlainPaths(claims: readonly Claim[], secrets: readonly string[]): void {
  if (secrets.length === 0) return
  const named = claims.find(
    ({ action, resource }) => FILES.has(action) && findPlaceholders(resource).some(key => secrets.includes(key)),
  )
  if (named)
    throw new ToolError('invalid_input', `A secret cannot be part of a path: '${named.resource}'`, {
      hint: 'Write the path out; $ENV.NAME is filled in elsewhere only. \\$ENV.NAME is the literal text',
    })
}

const FILES: ReadonlySet<Action> = new Set(['read', 'create', 'write'])

/** The claim on each secret that an input names. */
export const reveals = (keys: readonly string[]): readonly Claim[] =>
  keys.map(resource => ({ action: 'reveal', resource }))
