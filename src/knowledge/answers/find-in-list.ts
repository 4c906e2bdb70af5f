import type { FindOptions } from '../search/types.ts'
import type { Wanted } from '../search/wanted-files.ts'
import { textsMask } from './name-mask.ts'
import type { PathList } from './path-list.ts'

interface ListQuestion {
  readonly directory: string
  readonly wanted: Pick<Wanted, 'matches' | 'lastTexts'>
  readonly options: Pick<FindOptions, 'skip' | 'maxResults' | 'maxDepth' | 'hidden'>
  readonly leaveOut: readonly string[]
}

/** Returns the wanted paths below a directory, by their numbers in the list. */
export function findInList(list: PathList, { directory, wanted, options, leaveOut }: ListQuestion) {
  const { skip = 0, maxResults, maxDepth, hidden = true } = options
  const [paths, masks, { from, to }] = [list.all(), list.nameMasks(), list.below(directory)]
  const { matches, lastTexts = [[]] } = wanted
  const wantedMasks = lastTexts.map(textsMask)
  const cut = directory === '.' ? 0 : directory.length + 1
  const hiddenPaths = leaveOut.length > 0 ? new Set(leaveOut) : undefined
  const positions: number[] = []
  let total = 0
  for (let at = from; at < to; at++) {
    if (!hasSome(masks[at] ?? 0, wantedMasks)) continue
    const path = paths[at] ?? ''
    const below = cut === 0 ? path : path.slice(cut)
    if (!matches(below) || hiddenPaths?.has(path) || (!hidden && HIDDEN.test(below)) || isDeeper(below, maxDepth))
      continue
    if (total++ >= skip && positions.length < maxResults) positions.push(at)
  }
  return { found: positions, total }
}

function hasSome(mask: number, asked: readonly number[]): boolean {
  for (let at = 0; at < asked.length; at++) if ((mask & (asked[at] ?? 0)) === asked[at]) return true
  return false
}

const HIDDEN = /(?:^|\/)\./

/** Reports whether a path has more names than this, without splitting it: each but the last adds a slash. */
function isDeeper(path: string, most: number): boolean {
  if (path.length < 2 * most) return false
  let names = 1
  for (let at = path.indexOf('/'); at >= 0 && names <= most; at = path.indexOf('/', at + 1)) names++
  return names > most
}
