import { ToolError } from '../../../kernel/error.ts'
import { dispatchedPlaces } from '../callers/classes/overridden-methods.ts'
import { fileQueries } from '../callers/file-queries.ts'
import { mentions } from '../callers/mentions.ts'
import { requiredPlaces } from '../callers/required/required-places.ts'
import { settledPlaces } from '../callers/required/required-of.ts'
import { within } from '../servers/deadline.ts'
import type { Basis } from '../types.ts'
import type { Found, FoundSymbol } from './find-symbol.ts'
import { byPlace, lineFrom, type DeclaredAt } from './occurrences/occurrence.ts'
import { askOr, notInTime, type RefactorParts, type ServedParts } from './refactor-parts.ts'

export interface Use {
  readonly path: string
  readonly start: number
  readonly line: number
  readonly text: string
}

interface Uses {
  /** Includes its own declarations. */
  readonly uses: readonly Use[]
  /** Number of places in files that the caller may not read. */
  readonly unread: number
  readonly basis: Basis
}

/** Every use of a symbol's declarations, found by its server; empty if no server serves the language. */
export async function usesOf(parts: RefactorParts, symbols: Found): Promise<Uses> {
  return askOr(
    parts,
    symbols[0].source.path,
    served => serverUses(served, symbols),
    () => ({ uses: [], unread: 0, basis: { by: 'syntax' } }),
  )
}

/** Every use of a symbol's declarations that a server finds, without duplicates. */
export async function serverUses(parts: ServedParts, symbols: readonly FoundSymbol[]): Promise<Uses> {
  const { server } = parts
  if (server.unknown > 0) throw new ToolError('unavailable', `${server.unknown} files of no project could not be read`)
  const readable = (path: string) => (parts.mayRead(path) ? parts.sources(path).text : undefined)
  const queryParts = { ...parts, looks: fileQueries(server, readable) }
  const uses = new Map<string, Use>()
  let unread = 0
  for (const { source, span } of symbols) {
    // A declaration among the uses of another has the same uses.
    if (uses.has(keyOf(source.path, span.nameAt))) continue
    const at = source.positionOf(span.nameAt)
    const mentionPlaces = await mentions(source.path, [at], queryParts, { declarations: true })
    for (const { uri, range } of [
      ...mentionPlaces,
      ...(await dispatchedPlaces(span.name, source.path, at, queryParts)),
    ]) {
      const path = server.pathOf(uri)
      if (path === undefined || !parts.mayRead(path)) {
        unread++
        continue
      }
      const use = useAt(parts, path, parts.sources(path).offsetOf(range.start))
      uses.set(keyOf(path, use.start), use)
    }
  }
  return { uses: [...uses.values()].toSorted(byPlace), unread, basis: { by: 'server', server: server.name } }
}

const keyOf = (path: string, offset: number): string => `${path}:${offset}`

/** Returns a test of whether a place is one of the uses. */
export const isAmong =
  (uses: readonly Use[]) =>
  (path: string, start: number): boolean =>
    uses.some(use => use.path === path && use.start === start)

/** A place with its line of text. */
function useAt({ sources }: RefactorParts, path: string, offset: number): Use {
  const source = sources(path)
  const { line, character } = source.positionOf(offset)
  const text = lineFrom(source.text, offset - character)
    .trim()
    .slice(0, 200)
  return { path, start: offset, line: line + 1, text }
}

/**
 * Places with a symbol's name in components and in files that `require` its module, unless it is certainly another
 * symbol: no server follows those.
 */
export async function requiredUses(
  parts: RefactorParts,
  { name, path, position }: DeclaredAt & { readonly name: string },
): Promise<readonly Use[]> {
  const candidates = await within(parts.deadline, requiredPlaces(parts, path, name), notInTime)
  const isSure = candidates.places.every(({ kind }) => kind !== 'unsure')
  const settle = ({ server }: ServedParts) => settledPlaces(candidates, { path, positions: [position] }, server)
  const places = isSure ? candidates.places : await askOr(parts, path, settle, () => candidates.places)
  return places.map(each => useAt(parts, each.path, each.offset))
}
