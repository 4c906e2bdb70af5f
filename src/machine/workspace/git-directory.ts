import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** A repository as git would find it from a directory. */
export interface GitDirectory {
  /** The directory that holds `.git`. */
  readonly top: string
  /** The real directory that `.git` is or leads to. */
  readonly gitDir: string
  /** Set if `.git` is not that directory itself. */
  readonly isPointedTo: boolean
  /** What a linked work tree shares with others; undefined if nothing. */
  readonly common: string | undefined
}

/** Returns the repository of a directory; undefined if it has none of its own, or one that leads nowhere. */
export function gitDirectoryAt(top: string): GitDirectory | undefined {
  const entry = join(top, '.git')
  const stats = lstatSync(entry, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  const target = stats.isFile() ? pointer(top, textOf(entry)?.replace(/^gitdir: */, '')) : entry
  const gitDir = real(target)
  if (gitDir === undefined) return undefined
  const common = real(pointer(gitDir, textOf(join(gitDir, 'commondir'))))
  return { top, gitDir, isPointedTo: !stats.isDirectory(), common }
}

const isGitDirectory = (path: string): boolean =>
  ['HEAD', 'objects', 'refs'].every(name => lstatSync(join(path, name), { throwIfNoEntry: false }) !== undefined)

/** Returns the repository of the nearest directory upwards that has one, or says that this one lies inside of such. */
export function gitDirectoryAround(from: string): GitDirectory | 'inside' | undefined {
  for (let at = from; ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false })) return gitDirectoryAt(at)
    if (isGitDirectory(at)) return 'inside'
    if (dirname(at) === at) return undefined
  }
}

const pointer = (from: string, text: string | undefined): string | undefined => {
  const target = text?.trimEnd()
  return target ? resolve(from, target) : undefined
}

/** A pointer is short; an unreadable file points nowhere. */
function textOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path)
    return stats.isFile() && stats.size < 65_536 ? readFileSync(path, 'utf8') : undefined
  } catch {
    return undefined
  }
}

/** Returns the real path; undefined for what leads nowhere. */
export function real(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : realpathSync.native(path)
  } catch {
    return undefined
  }
}
