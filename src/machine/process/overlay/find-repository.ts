import { lstatSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isHeadFile, kindAt } from './valid-repository.ts'

interface Repository {
  readonly gitDir: string
  readonly workTree: string
}

/**
 * Finds a workspace's repository by its `.git` only; a bare layout among the workspace's files never counts. Above the
 * workspace, only a repository of the user or of the workspace's owner counts.
 */
export function findRepository(root: string): Repository | undefined {
  const begin = resolve(root)
  for (let at = begin; ; at = dirname(at)) {
    const place = join(at, '.git')
    const kind = kindAt(place)
    if (kind !== 'absent') {
      const gitDir = kind === 'directory' ? place : linkedFrom(place)
      return gitDir && isRepository(gitDir) && (at === begin || isOurs(place, root))
        ? { gitDir, workTree: at }
        : undefined
    }
    if (dirname(at) === at) return undefined
  }
}

const MOST_BYTES = 4096

/** Returns the repository that a `.git` file points to, or undefined. */
export const linkedFrom = (place: string): string | undefined =>
  kindAt(place) === 'file' ? linkTarget(place) : undefined

/** Returns the directory that a one-line file names, or undefined for any other content. */
function linkTarget(place: string, pattern = /^gitdir: ([^\0\n]+)\n?$/): string | undefined {
  try {
    if (lstatSync(place).size > MOST_BYTES) return undefined
    const target = pattern.exec(readFileSync(place, 'utf8'))?.[1]
    return target && resolve(dirname(place), target)
  } catch {
    return undefined
  }
}

function isRepository(gitDir: string): boolean {
  const commonFile = join(gitDir, 'commondir')
  const common = kindAt(commonFile) === 'absent' ? gitDir : linkTarget(commonFile, /^([^\0\n]+)\n?$/)
  if (common === undefined || !isHeadFile(join(gitDir, 'HEAD'))) return false
  return ['objects', 'refs'].every(name => kindAt(join(common, name)) === 'directory')
}

const isOurs = (place: string, root: string): boolean => {
  const { uid } = lstatSync(place)
  return uid === process.getuid?.() || uid === lstatSync(root).uid
}
