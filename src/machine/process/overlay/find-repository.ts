import { lstatSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isHeadFile, kindAt } from './valid-repository.ts'

interface Repository {
  readonly gitDir: string
  readonly workTree: string
}

/**
 * The repository that a workspace belongs to, by a `.git` alone: one that lies open among the workspace's files is never
 * taken for it. Above the workspace only the user's own counts, or that of the workspace's owner.
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

/** Where a `.git` that is a file says that the repository is; undefined if it says nothing of the kind. */
export const linkedFrom = (place: string): string | undefined => (kindAt(place) === 'file' ? linked(place) : undefined)

/** Where a file of one line says that the directory is; undefined if it says something else. */
function linked(place: string, pattern = /^gitdir: ([^\0\n]+)\n?$/): string | undefined {
  try {
    if (lstatSync(place).size > MOST_BYTES) return undefined
    const target = pattern.exec(readFileSync(place, 'utf8'))?.[1]
    return target && resolve(dirname(place), target)
  } catch {
    return undefined
  }
}

function isRepository(gitDir: string): boolean {
  const shared = join(gitDir, 'commondir')
  const common = kindAt(shared) === 'absent' ? gitDir : linked(shared, /^([^\0\n]+)\n?$/)
  if (common === undefined || !isHeadFile(join(gitDir, 'HEAD'))) return false
  return ['objects', 'refs'].every(name => kindAt(join(common, name)) === 'directory')
}

const isOurs = (place: string, root: string): boolean => {
  const { uid } = lstatSync(place)
  return uid === process.getuid?.() || uid === lstatSync(root).uid
}
