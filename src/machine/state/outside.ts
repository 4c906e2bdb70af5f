import { realpathSync, statSync, type BigIntStats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ToolError } from '../../kernel/error.ts'

/**
 * Refuses a directory of ours that lies inside the workspace or contains it: a tool could then write its own approvals
 * and its own record. Compares directories by identity, so that links, other spellings and bind mounts make no
 * difference.
 */
export function refuseInside(root: string, directory: string, what: string, hint: string): void {
  const place = realPlace(directory)
  if (isWithin(place, root))
    throw new ToolError('denied', `The ${what} ${place} lies inside the workspace ${root}.`, { hint })
  if (isWithin(root, place))
    throw new ToolError('denied', `The workspace ${root} lies inside the ${what} ${place}.`, { hint })
}

/** Returns the real path of an entry that need not exist yet. */
export function realPlace(path: string): string {
  const full = resolve(path)
  try {
    return realpathSync.native(full)
  } catch (error) {
    const above = dirname(full)
    if (above === full || !isMissing(error)) throw error
    return join(realPlace(above), basename(full))
  }
}

function isWithin(inner: string, outer: string): boolean {
  const target = identity(outer)
  for (let place = inner; ; place = dirname(place)) {
    if (place === outer) return true
    const here = target && identity(place)
    if (here && here.ino === target.ino && here.dev === target.dev) return true
    if (dirname(place) === place) return false
  }
}

const identity = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
