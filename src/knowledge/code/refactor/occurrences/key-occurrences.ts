import { computedKeys, type KeyPlace } from '../../callers/computed/computed-keys.ts'
import { keyedScripts } from '../../callers/computed/keyed-scripts.ts'
import { askOr, type RefactorParts } from '../refactor-parts.ts'
import { undecidedAt, type Occurrence, type Target } from './occurrence.ts'

/** The part of the remaining time for judging objects: the rest is for trying the change. */
const SHARE = 0.5

/** Places where a script may name the target by a computed key. */
export async function keyOccurrences(
  parts: RefactorParts,
  { path, name, position, isData }: Target,
  isDeleted: boolean,
): Promise<readonly Occurrence[]> {
  const { sources, mayRead, deadline } = parts
  const { text, offsetOf } = sources(path)
  const symbol = { path, name, text, at: offsetOf(position) }
  const scripts = () => keyedScripts(parts, path)
  const now = performance.now()
  const until = now + (deadline.at - now) * SHARE
  const keyPlaces = await askOr(
    parts,
    path,
    ({ server }) => computedKeys(symbol, scripts, { server, mayRead, source: sources, until }),
    () => computedKeys(symbol, scripts, undefined),
  )
  return keyPlaces
    .filter(isUse)
    .map(each => undecidedAt({ path: each.path, start: each.start, end: each.end, kind: 'string' }, WHY[each.how]))

  function isUse({ how }: KeyPlace): boolean {
    // Values have no names, and lists of the names of data are judged on their own.
    return how === 'values' ? isDeleted : how !== 'names' || !isData
  }
}

const WHY: Readonly<Record<KeyPlace['how'], string>> = {
  one: 'a computed name there may be it',
  names: 'its name is listed there',
  values: 'it is one of the values there',
  type: 'its name is one of the type',
}
