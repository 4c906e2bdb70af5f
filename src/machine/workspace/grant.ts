import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { show } from './path.ts'

type FileAction = 'read' | 'create' | 'write'

/** Canonical paths that a call's claims cover. */
export interface Grant {
  has(path: string, ...actions: readonly FileAction[]): boolean
  /** Throws `denied` if none of the actions is claimed for the path. */
  need(path: string, ...actions: readonly FileAction[]): void
}

export function createGrant(claims: readonly Claim[]): Grant {
  const claimsByAction = Map.groupBy(claims, ({ action }) => action)
  const places = new Map([...claimsByAction].map(([action, some]) => [action, placesOf(some)]))
  const has = (path: string, ...actions: readonly FileAction[]) =>
    actions.some(action => places.get(action)?.cover(path) ?? false)
  return {
    has,
    need(path, ...actions) {
      if (has(path, ...actions)) return
      throw new ToolError('denied', `${show(path)} was not claimed for ${actions.at(-1) ?? 'read'}`)
    },
  }
}

/**
 * A resource is a path, a directory with everything below it (`src/**`), or everything (`**`). Looks paths up by name,
 * because a patch may claim thousands of them.
 */
function placesOf(claims: readonly Claim[]): { cover(path: string): boolean } {
  const names = new Set<string>()
  const directories: string[] = []
  let everything = false
  for (const { resource } of claims) {
    if (resource === '**' || resource === './**') everything = true
    else if (resource.endsWith('/**')) directories.push(resource.slice(0, -3))
    else names.add(resource)
  }
  if (names.has('')) names.add('.')
  return {
    cover: path =>
      everything ||
      names.has(path) ||
      directories.some(directory => path === directory || path.startsWith(`${directory}/`)),
  }
}

/**
 * A claim to write a file includes a look at it, to preserve its encoding and mode. This reveals no content. A claim to
 * restore the repository opens no file of it.
 */
export const withLooks = (claims: readonly Claim[]): readonly Claim[] => [
  ...claims.filter(({ restores }) => !restores),
  ...claims.flatMap(({ action, resource, restores }): Claim[] =>
    (action === 'write' || action === 'create') && !restores ? [{ action: 'read', resource }] : [],
  ),
]
