import type { HiddenPaths } from '../../kernel/hidden-paths.ts'

interface Rules {
  readonly mayRead: (path: string) => boolean
  readonly hides: HiddenPaths | undefined
}

/**
 * Reports whether rules hide a file from reading. Fast for walkers that ask about every file, because most lie outside
 * any rule.
 */
export function isHiddenBy({ mayRead, hides }: Rules): (path: string) => boolean {
  if (!hides) return path => !mayRead(path)
  const reached = new Map<string, boolean>()

  function isReached(directory: string): boolean {
    let found = reached.get(directory)
    if (found !== undefined) return found
    const slash = directory.lastIndexOf('/')
    const above = directory === '' || isReached(slash < 0 ? '' : directory.slice(0, slash))
    found = above && hides?.reaches(directory) === true
    reached.set(directory, found)
    return found
  }

  return path => {
    const slash = path.lastIndexOf('/')
    return isReached(slash < 0 ? '' : path.slice(0, slash)) && hides.matches(path) && !mayRead(path)
  }
}
