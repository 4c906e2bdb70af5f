import { oncePer } from '../../../kernel/once.ts'
import type { Place } from '../types.ts'
import { qualifiedName, symbolLines, type PackedSymbols, type SymbolLines } from './packed-symbols.ts'

/** The symbols of a file in the order of their first lines. */
interface Nesting {
  readonly lines: SymbolLines
  readonly order: Int32Array
  /** For each place in the order: the last one before it that had not ended there, or -1. */
  readonly outer: Int32Array
}

/** Files that were asked about last: searches find lines in the same large files again and again. */
const recent = new Map<PackedSymbols, Nesting>()
const MOST_RECENT = 100

/** Returns the innermost symbol around each place, with its containers: `Cart.add`. Looks at each file once. */
export function symbolsAround(
  places: readonly Place[],
  symbolsOf: (path: string) => PackedSymbols | undefined,
): readonly (string | undefined)[] {
  const fileOf = oncePer((path: string) => {
    const packedSymbols = symbolsOf(path)
    return packedSymbols === undefined ? undefined : { packed: packedSymbols, nesting: recentNesting(packedSymbols) }
  })
  return places.map(place => {
    const file = fileOf(place.path)
    const index = file ? innermost(place, file.nesting) : -1
    return file && index >= 0 ? qualifiedName(file.packed, file.nesting.lines, index) : undefined
  })
}

function recentNesting(packed: PackedSymbols): Nesting {
  const nesting = recent.get(packed) ?? nestingOf(symbolLines(packed))
  recent.delete(packed)
  recent.set(packed, nesting)
  const [oldest] = recent.keys()
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest)
  return nesting
}

function nestingOf(lines: SymbolLines): Nesting {
  const { from, to } = lines
  const order = Int32Array.from(from.keys()).toSorted((one, other) => at(from, one) - at(from, other) || one - other)
  const outer = new Int32Array(order.length)
  const open: number[] = []
  for (const [place, index] of order.entries()) {
    while (open.length > 0 && at(to, at(order, open.at(-1) ?? 0)) < at(from, index)) open.pop()
    outer[place] = open.at(-1) ?? -1
    open.push(place)
  }
  return { lines, order, outer }
}

/** Returns the shortest symbol that covers the place, the first of several, or -1. Goes outwards from the last begun. */
function innermost({ from: first, to: last }: Place, { lines: { from, to }, order, outer }: Nesting): number {
  let [shortest, length] = [-1, Infinity]
  for (let place = lastBegun(order, from, first); place >= 0; place = at(outer, place)) {
    const index = at(order, place)
    const ownLength = at(to, index) - at(from, index)
    if (at(to, index) < last || ownLength > length || (ownLength === length && index > shortest)) continue
    shortest = index
    length = ownLength
  }
  return shortest
}

/** Returns the place in the order of the last symbol that begins at a line or before it, or -1. */
function lastBegun(order: Int32Array, from: Int32Array, line: number): number {
  let [low, high] = [0, order.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(from, at(order, middle)) <= line) low = middle + 1
    else high = middle
  }
  return low - 1
}

const at = (list: Int32Array, place: number): number => list[place] as number
