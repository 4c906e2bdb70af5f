import type { FileFacts, IndexEngine } from './types.ts'

/** More files than this are not asked about for one answer. */
const MOST_FILES = 100

/** For each place the symbol that it stands in, as far as an index that is open already can say at a glance. */
export async function symbolsAround(
  index: Pick<IndexEngine, 'known'>,
  places: readonly { readonly path: string; readonly line: number }[],
): Promise<readonly (string | undefined)[]> {
  const paths = [...new Set(places.map(({ path }) => path))].slice(0, MOST_FILES)
  const facts = new Map<string, FileFacts | undefined>()
  // Together, so that they wait once for the index to be current.
  await Promise.all(paths.map(async path => facts.set(path, await index.known(path))))
  return places.map(({ path, line }) => symbolAround(facts.get(path), line))
}

/** The innermost symbol that holds the lines, with what it stands in: `Cart.add`. */
export function symbolAround(facts: FileFacts | undefined, from: number, to = from): string | undefined {
  const around = facts?.symbols.filter(symbol => symbol.from <= from && symbol.to >= to) ?? []
  const inner = around.toSorted((one, other) => one.to - one.from - (other.to - other.from))[0]
  return inner && [...inner.within, inner.name].join('.')
}
