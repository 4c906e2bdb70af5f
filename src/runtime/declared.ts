import type { Claim } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'

/** The claims that a tool states. One that claims more than it declares is a defect, and nothing of it runs. */
export function declared(tool: AnyTool<never>, claims: readonly Claim[]): readonly Claim[] {
  const undeclared = claims.find(({ action }) => action === 'reveal' || !tool.effects.includes(action))
  if (undeclared) throw new Error(`${tool.name} claims '${undeclared.action}' and does not declare it`)
  return claims
}

/** The claim on each secret that an input names. */
export const reveals = (keys: readonly string[]): readonly Claim[] =>
  keys.map(resource => ({ action: 'reveal', resource }))
