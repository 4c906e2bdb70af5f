import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { isReference } from '../../kernel/reference.ts'
import { isCanonical } from './path.ts'
import type { Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import { createView } from './view.ts'

const NOTHING = createStaging()

/** Returns claims with file paths resolved in the staged workspace. Other claims stay unchanged. */
export function canonicalClaims(root: Root, staging: Staging | undefined, claims: readonly Claim[]): readonly Claim[] {
  if (claims.length === 0) return claims
  const view = createView(root, staging ?? NOTHING)
  const find = (path: string, link: boolean) =>
    view.look(path, { link }, ({ located, type }) => ({ rel: located.rel, isFile: type === 'file' }))
  const locate = (path: string, link: boolean): ReturnType<typeof find> => {
    try {
      return find(path, link)
    } catch (error) {
      const above = error instanceof ToolError && error.code === 'not_a_directory' ? givesWay(path, claims) : undefined
      if (above === undefined) throw error
      return { rel: find(above, true).rel + path.slice(above.length), isFile: false }
    }
  }
  return claims.map(claim => {
    const { action, resource, link = false } = claim
    if ((action !== 'read' && action !== 'create' && action !== 'write') || resource === '**') return claim
    if (claim.memory || (action === 'read' && isReference(resource))) return claim
    if (!resource.endsWith('/**')) return { ...claim, resource: locate(resource, link).rel }
    const { rel, isFile } = locate(resource.slice(0, -3), link)
    // A claim to read that names an existing file means only this file.
    return { ...claim, resource: action === 'read' && isFile ? rel : `${rel}/**` }
  })
}

/** A file that the same call also claims, and so may remove, can give way to a directory of its name. */
const givesWay = (path: string, claims: readonly Claim[]): string | undefined =>
  claims.find(
    ({ action, resource }) =>
      (action === 'write' || action === 'read') &&
      path.startsWith(`${resource}/`) &&
      isCanonical(path.slice(resource.length + 1)),
  )?.resource
