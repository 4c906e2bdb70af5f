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
  const reachesByDirectory = new Map<string, boolean>()

  function isReached(directory: string): boolean {
    let answer = reachesByDirectory.get(directory)
    if (answer !== undefined) return answer
    const slash = directory.lastIndexOf('/')
    const above = directory === '' || isReached(slash < 0 ? '' : directory.slice(0, slash))
    answer = above && hides?.reaches(directory) === true
    reachesByDirectory.set(directory, answer)
    return answer
  }

  return path => {
    const slash = path.lastIndexOf('/')
    return isReached(slash < 0 ? '' : path.slice(0, slash)) && hides.matches(path) && !mayRead(path)
  }
}
