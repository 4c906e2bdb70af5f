import type { Position } from '../servers/lsp-schemas.ts'
import type { Source } from '../source.ts'
import type { Locations } from '../types.ts'

export type Place = Locations['places'][number]

/** A position with its line of text for display. */
export function placeAt({ path, text, offsetOf }: Source, { line, character }: Position): Place {
  const from = offsetOf({ line, character: 0 })
  const [lineText = ''] = /^.*/.exec(text.slice(from)) ?? []
  return { path, line: line + 1, column: character + 1, text: lineText.trim() }
}

/** Sorts places and removes duplicates. */
export function inOrder<T extends { readonly path: string; readonly line: number; readonly column?: number }>(
  places: Iterable<T>,
): readonly T[] {
  const byPlace = new Map<string, T>()
  for (const each of places) {
    const key = `${each.path}:${each.line}:${each.column ?? ''}`
    if (!byPlace.has(key)) byPlace.set(key, each)
  }
  return [...byPlace.values()].toSorted(
    (one, other) =>
      (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) ||
      one.line - other.line ||
      (one.column ?? 0) - (other.column ?? 0),
  )
}

export const isSamePosition = (one: Position, other: Position): boolean =>
  one.line === other.line && one.character === other.character

const MOST = 5

/** Formats the first of some places. */
export function shownPlaces(places: readonly Pick<Place, 'path' | 'line'>[]): string {
  const lines = [...new Set(places.map(({ path, line }) => `${path}:${line}`))].toSorted()
  const firstPlaces = lines.slice(0, MOST).join(', ')
  return lines.length > MOST ? `${firstPlaces} and ${lines.length - MOST} more` : firstPlaces
}
