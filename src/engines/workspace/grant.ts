import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { show } from './path.ts'

export type FileAction = 'read' | 'create' | 'write'

/** Which canonical paths the claims of a call cover. */
export interface Grant {
  has(path: string, ...actions: readonly FileAction[]): boolean
  /** Throws `denied` where none of the actions was claimed for the path. */
  need(path: string, ...actions: readonly FileAction[]): void
}

export function createGrant(claims: readonly Claim[]): Grant {
  const has = (path: string, ...actions: readonly FileAction[]) =>
    claims.some(({ action, resource }) => actions.some(one => one === action) && covers(resource, path))
  return {
    has,
    need(path, ...actions) {
      if (has(path, ...actions)) return
      throw new ToolError('denied', `${show(path)} was not claimed for ${actions.at(-1) ?? 'read'}`)
    },
  }
}

/** A resource is a path, a directory with everything below it (`src/**`), or everything (`**`). */
function covers(resource: string, path: string): boolean {
  if (resource === '**' || resource === './**') return true
  if (!resource.endsWith('/**')) return resource === path || (resource === '' && path === '.')
  const directory = resource.slice(0, -3)
  return path === directory || path.startsWith(`${directory}/`)
}
