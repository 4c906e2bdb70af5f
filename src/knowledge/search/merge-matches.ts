import { comparePaths } from './path-order.ts'
import type { GrepMatch, GrepOptions, Unreadable } from './types.ts'
import { MOST_NAMED } from './unreadable-files.ts'

interface Part {
  readonly matches: readonly GrepMatch[]
  readonly files?: readonly { readonly path: string; readonly count: number }[]
  readonly total: number
  readonly filesFound: number
  readonly filesSearched: number
  readonly timedOut: boolean
  readonly unreadable?: Unreadable
}

/** Merges results for different files. Each part holds as many matches as are skipped and shown together. */
export function mergeMatches(parts: readonly Part[], { skip = 0, maxResults, only }: GrepOptions): Part {
  const sum = (figure: (part: Part) => number): number => parts.reduce((all, part) => all + figure(part), 0)
  // The sort is stable: lines of one file keep their order.
  const page = <T extends { readonly path: string }>(lists: readonly (readonly T[])[]): readonly T[] => {
    const nonEmptyLists = lists.filter(list => list.length > 0)
    const all =
      nonEmptyLists.length > 1
        ? nonEmptyLists.flat().toSorted((one, other) => comparePaths(one.path, other.path))
        : nonEmptyLists[0]
    return (all ?? []).slice(skip, skip + maxResults)
  }
  const unreadableCount = sum(part => part.unreadable?.count ?? 0)
  const unreadableFiles = parts
    .flatMap(part => part.unreadable?.files ?? [])
    .toSorted((one, other) => comparePaths(one.path, other.path))
    .slice(0, MOST_NAMED)
  return {
    matches: page(parts.map(part => part.matches)),
    ...(only !== undefined && { files: page(parts.map(part => part.files ?? [])) }),
    total: sum(part => part.total),
    filesFound: sum(part => part.filesFound),
    filesSearched: sum(part => part.filesSearched),
    timedOut: parts.some(part => part.timedOut),
    ...(unreadableCount > 0 && { unreadable: { count: unreadableCount, files: unreadableFiles } }),
  }
}
