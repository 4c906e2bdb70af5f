import { resolve as absolute } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import type { Lock } from '../state/lock.ts'
import { diskError } from './disk-error.ts'
import type { ResolvedPath, ResolveOptions } from './resolved-path.ts'
import { nameToBytes } from './name.ts'
import { below, parsePath, segmentsOf, show } from './path.ts'
import { holdDirectory, linuxSys, type Sys } from './sys.ts'
import { walk } from './walk.ts'

/** A directory held by descriptor, and the only way from a caller's path to a place on disk. */
export interface Root {
  /** The real path at the time of opening. */
  readonly path: string
  readonly fd: number
  readonly sys: Sys
  /**
   * Throws `invalid_input`, `outside_workspace`, `not_a_directory`, and `not_found` for `..` after a missing directory.
   */
  resolve(path: string, options?: ResolveOptions): ResolvedPath
  /** Throws `conflict` if the held directory is no longer where the walk found it. Call it before each write. */
  verify(located: ResolvedPath): void
  /** Runs `look` while no other process commits. A commit takes a file's name away for a moment. */
  settled<T>(look: () => T): T
  close(): void
}

/** Opens a workspace. From here on its path is not looked up again, so that it cannot be swapped. */
export function openRoot(path: string, sys: Sys = linuxSys): Root {
  const fd = hold(path)
  const real = sys.whereIs(fd)
  // Users may name a workspace by a path that leads through a link.
  const spellings = [...new Set([real, absolute(path)])]
  const inside = (segments: readonly string[]): string[] | undefined => {
    for (const spelling of spellings) {
      const rest = below(segments, spelling)
      if (rest !== undefined) return rest
    }
    return undefined
  }
  return {
    path: real,
    fd,
    sys,
    resolve: (asked, options = {}) => walk({ fd, sys, path: real, inside }, asked, parse(asked, spellings), options),
    verify(located) {
      const names = located.rel === '.' ? [] : located.rel.split('/')
      const expectedPath = [sys.whereIs(fd), ...names.slice(0, names.length - located.missing.length - 1)].join('/')
      // The kernel's result is decoded as UTF-8, so the compared text must be too.
      const decodedPath = expectedPath.isWellFormed()
        ? expectedPath
        : (nameToBytes(expectedPath) ?? expectedPath).toString()
      if (sys.whereIs(located.dir) !== decodedPath.replace(/^\/\//, '/'))
        throw new ToolError('conflict', `The directory of ${show(located.rel)} was moved away while it was in use`, {
          hint: 'Look at the workspace again before changing it.',
        })
    },
    settled: look => look(),
    close: () => sys.close(fd),
  }
}

/**
 * Looks a missing name up again while no other process holds the lock of commits: it may be missing only because a
 * commit is replacing the file.
 */
export const settleBy = (lock: Lock, root: Root): Root => ({
  ...root,
  settled: lock.whileFree,
  resolve(path, options) {
    const location = root.resolve(path, options)
    if (location.stats !== undefined || location.name === undefined || lock.isHeld()) return location
    location.release()
    return lock.whileFree(() => root.resolve(path, options))
  },
})

function hold(path: string): number {
  try {
    return holdDirectory(path)
  } catch (error) {
    throw diskError(error, path)
  }
}

/** An absolute path must begin with a spelling of the root; relative paths need none. */
function parse(path: string, spellings: readonly string[]): string[] {
  const [real = '/'] = spellings
  if (spellings.length === 1 || typeof path !== 'string' || !path.startsWith('/')) return parsePath(path, real)
  const segments = segmentsOf(path)
  return parsePath(path, spellings.find(spelling => below(segments, spelling) !== undefined) ?? real)
}
