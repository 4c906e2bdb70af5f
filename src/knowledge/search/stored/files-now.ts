import { once } from '../../../kernel/once.ts'
import { isSecretFile } from '../../../kernel/secret-files.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import { changesSince } from '../../tree/changes-since.ts'
import type { UserPlaces } from '../../tree/ignore/user-places.ts'
import { LOOK_FIELDS } from '../../tree/tree-image.ts'
import type { PathTable } from '../index/path-table.ts'
import { comparePaths } from '../path-order.ts'
import type { StoredImage } from './stored-image.ts'

/** The files of a workspace at one moment, numbered as in its image; those that were added come behind. */
export interface FilesNow {
  readonly book: Pick<PathTable, 'count' | 'pathOf' | 'known'>
  /** Ranks by number: an earlier path has a lower rank. */
  readonly ranks: Float64Array
  readonly states: Uint8Array
  /** Files that must be read: their sizes by number. */
  readonly unread: ReadonlyMap<number, number>
  /** Returns the paths of all, in no order; always the same list. */
  paths(): readonly string[]
  /** Returns the paths of the files that hold secrets. */
  secrets(): readonly string[]
}

/** Whether the text of a file is stored, must be read, or is no longer listed. */
export const STATE = { gone: 0, stored: 1, unread: 2 } as const

interface Looking {
  readonly root: Pick<Root, 'fd'>
  readonly user: UserPlaces
  /** Files of the workspace that do not belong to the repository. */
  readonly isForeign: (path: string) => boolean
  /** Gives up beyond this many files to read. */
  readonly most: number
}

/** Looks once at every file and directory. Returns undefined if too much is not as it was stored. */
export function filesNow(image: StoredImage, { root, user, isForeign, most }: Looking): FilesNow | undefined {
  const changes = changesSince(image.tree, { root, user, most })
  if (!changes) return undefined
  const { paths, where } = image
  const put = changes.put.filter(({ path }) => !isForeign(path))
  const newPaths = put
    .map(({ path }) => path)
    .filter(path => numberIn(paths, path) === undefined)
    .toSorted(comparePaths)
  const numbers = new Map(newPaths.map((path, at) => [path, paths.length + at]))
  const numberOf = (path: string): number | undefined => numbers.get(path) ?? numberIn(paths, path)
  const pathOf = (number: number): string => paths[number] ?? newPaths[number - paths.length] ?? ''
  const count = paths.length + newPaths.length

  const unread = new Map<number, number>()
  const states = new Uint8Array(count)
  const ranks = new Float64Array(count)
  for (let number = 0; number < paths.length; number++) {
    ranks[number] = number
    if (changes.stale[number] === 1) continue
    if (where[number * 2] === -1) unread.set(number, image.tree.looks[number * LOOK_FIELDS + 1] ?? 0)
    else states[number] = STATE.stored
  }
  for (const { path, size } of put) unread.set(numberOf(path) ?? 0, size)
  for (const number of unread.keys()) states[number] = STATE.unread
  // Between its neighbours in the image; those with the same neighbours are in order.
  for (const [at, path] of newPaths.entries())
    ranks[paths.length + at] = placeIn(paths, path) - 1 + (at + 1) / (newPaths.length + 1)
  if (unread.size > most) return undefined
  return {
    book: { count: () => count, pathOf, known: numberOf },
    ranks,
    states,
    unread,
    paths: once(() => [...paths, ...newPaths].filter((_, number) => states[number] !== STATE.gone)),
    secrets: () => [...image.secrets.map(pathOf), ...newPaths.filter(isSecretFile)],
  }
}

/** Returns the position of a path among sorted ones, or where it would be. */
function placeIn(paths: readonly string[], path: string): number {
  let [low, high] = [0, paths.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (comparePaths(paths[middle] as string, path) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function numberIn(paths: readonly string[], path: string): number | undefined {
  const at = placeIn(paths, path)
  return paths[at] === path ? at : undefined
}
