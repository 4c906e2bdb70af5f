import type { Place } from '../types.ts'
import { qualifiedName, symbolLines, type PackedSymbols, type SymbolLines } from './packed-symbols.ts'

/** Files that were asked about last: searches find lines in the same large files again and again. */
const recent = new Map<PackedSymbols, SymbolLines>()
const MOST_RECENT = 100

/** Returns the innermost symbol around each place, with its containers: `Cart.add`. Looks at each file once. */
export function symbolsAround(
  places: readonly Place[],
  symbolsOf: (path: string) => PackedSymbols | undefined,
): readonly (string | undefined)[] {
  const names = new Map<Place, string>()
  for (const [path, own] of Map.groupBy(places, ({ path: each }) => each)) {
    const packed = symbolsOf(path)
    if (packed === undefined) continue
    const lines = recentLines(packed)
    for (const [place, index] of innermost(own, lines)) names.set(place, qualifiedName(packed, lines, index))
  }
  return places.map(place => names.get(place))
}

function recentLines(packed: PackedSymbols): SymbolLines {
  const lines = recent.get(packed) ?? symbolLines(packed)
  recent.delete(packed)
  recent.set(packed, lines)
  const [oldest] = recent.keys()
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest)
  return lines
}

function innermost(places: readonly Place[], { from, to }: SymbolLines): ReadonlyMap<Place, number> {
  const sorted = places.toSorted((one, other) => one.from - other.from)
  const lengthOf = (index: number) => (to[index] ?? 0) - (from[index] ?? 0)
  const found = new Map<Place, number>()
  for (let index = 0; index < from.length; index++) {
    const [begin = 0, end = 0] = [from[index], to[index]]
    for (let at = firstFrom(sorted, begin); at < sorted.length; at++) {
      const place = sorted[at]
      if (!place || place.from > end) break
      const before = found.get(place)
      if (place.to <= end && (before === undefined || lengthOf(index) < lengthOf(before))) found.set(place, index)
    }
  }
  return found
}

/** Returns the first place that begins at a line or after it. */
function firstFrom(sorted: readonly Place[], line: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle]?.from ?? 0) < line) low = middle + 1
    else high = middle
  }
  return low
}
