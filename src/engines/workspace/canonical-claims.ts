import type { Claim } from '../../kernel/claim.ts'
import type { Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import { createView } from './view.ts'

const NOTHING = createStaging()

/** Claims on files with the real paths that they mean now, in the workspace as staged; other claims as they are. */
export function canonicalClaims(root: Root, staging: Staging | undefined, claims: readonly Claim[]): readonly Claim[] {
  if (claims.length === 0) return claims
  const view = createView(root, staging ?? NOTHING)
  const locate = (path: string, link: boolean) => view.look(path, { link }, ({ located }) => located.rel)
  return claims.map(claim => {
    const { action, resource, link = false } = claim
    if ((action !== 'read' && action !== 'create' && action !== 'write') || resource === '**') return claim
    if (!resource.endsWith('/**')) return { ...claim, resource: locate(resource, link) }
    return { ...claim, resource: `${locate(resource.slice(0, -3), link)}/**` }
  })
}
