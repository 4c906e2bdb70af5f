import { dirname, join, relative, resolve } from 'node:path'
import { gitDirectoryAround, real } from './git-directory.ts'

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
 * Returns the directories that git would use in this workspace: it searches upwards for `.git`, which may be a file or
 * a link that leads there.
 */
function gitDirectories(root: string): readonly (string | undefined)[] {
  const gitDirectory = gitDirectoryAround(root)
  if (gitDirectory === 'inside') return [root]
  return gitDirectory ? [gitDirectory.isPointedTo ? gitDirectory.gitDir : undefined, gitDirectory.common] : []
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
