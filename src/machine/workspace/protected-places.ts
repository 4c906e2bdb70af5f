import { lstatSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

interface ProtectedPlace {
  readonly path: string
  readonly use: 'git' | 'configuration'
}

/**
 * Returns places in a workspace that no tool may change although their names do not show it: git's metadata if `.git`
 * only points there, and the named configuration file.
 */
export function protectedPlaces(root: string, config?: string): readonly ProtectedPlace[] {
  const configurations = config === undefined ? [] : [inRealDirectory(resolve(config)), real(resolve(config))]
  return [
    ...within(root, gitDirectories(root)).map(path => ({ path, use: 'git' as const })),
    ...within(root, configurations).map(path => ({ path, use: 'configuration' as const })),
  ]
}

/**
 * Returns the directories that git would use in this workspace: it searches upwards for `.git` and follows two kinds of
 * pointers.
 */
function gitDirectories(root: string, from = root): readonly (string | undefined)[] {
  const entry = join(from, '.git')
  const stats = lstatSync(entry, { throwIfNoEntry: false })
  if (stats?.isDirectory()) return [pointedTo(entry)]
  if (stats) {
    const directory = pointer(from, textOf(entry)?.replace(/^gitdir: */, ''))
    return directory === undefined ? [] : [real(directory), pointedTo(directory)]
  }
  // The workspace itself lies in such a directory.
  if (isGitDirectory(from)) return [root]
  return dirname(from) === from ? [] : gitDirectories(root, dirname(from))
}

const pointedTo = (directory: string): string | undefined =>
  real(pointer(directory, textOf(join(directory, 'commondir'))))

const isGitDirectory = (path: string): boolean =>
  ['HEAD', 'objects', 'refs'].every(name => lstatSync(join(path, name), { throwIfNoEntry: false }) !== undefined)

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

function real(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** Returns the name itself, even if it is a link, in its real directory. */
const inRealDirectory = (path: string): string | undefined => {
  const directory = real(dirname(path))
  return directory === undefined ? undefined : join(directory, path.slice(dirname(path).length + 1))
}

/** Returns the places below the root, relative to it, without duplicates. */
const within = (root: string, places: readonly (string | undefined)[]): readonly string[] => {
  const paths = places.flatMap(place => (place === undefined ? [] : [relative(root, place).replaceAll('\\', '/')]))
  return [...new Set(paths)]
    .filter(path => path !== '..' && !/^\.\.\/|^\/|^[a-z]:/i.test(path))
    .map(path => path || '.')
}
