import type { FileFacts, IndexEngine } from './types.ts'

/** Most files to ask about for one answer. */
const MOST_FILES = 100

/** Returns the enclosing symbol of each place, as far as an open index knows it at once. */
export async function symbolsAround(
  index: Pick<IndexEngine, 'known'>,
  places: readonly { readonly path: string; readonly line: number }[],
): Promise<readonly (string | undefined)[]> {
  const paths = [...new Set(places.map(({ path }) => path))].slice(0, MOST_FILES)
  const facts = new Map<string, FileFacts | undefined>()
  // Concurrently, so that they wait only once for the index to be current.
  await Promise.all(paths.map(async path => facts.set(path, await index.known(path))))
  return places.map(({ path, line }) => symbolAround(facts.get(path), line))
}

/** Returns the innermost symbol around the lines, with its container: `Cart.add`. */
export function symbolAround(facts: FileFacts | undefined, from: number, to = from): string | undefined {
  const around = facts?.symbols.filter(symbol => symbol.from <= from && symbol.to >= to) ?? []
  const inner = around.toSorted((one, other) => one.to - one.from - (other.to - other.from))[0]
  return inner && [...inner.within, inner.name].join('.')
}
