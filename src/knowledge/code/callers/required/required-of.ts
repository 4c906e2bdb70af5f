import { ToolError } from '../../../../kernel/error.ts'
import type { CodeParts } from '../../code-parts.ts'
import { within, type Deadline } from '../../servers/deadline.ts'
import type { Location, Position } from '../../servers/lsp-schemas.ts'
import type { ServerClient } from '../../servers/types.ts'
import { isSamePosition } from '../places.ts'
import { scriptsOf } from './linked-scripts.ts'
import type { RequiredPlace } from './places-in.ts'
import { requiredPlaces, type Required } from './required-places.ts'

/** Uses by `require`, for one question. */
export interface RequiredUses {
  /** The certain uses. */
  of(name: string, target: Target): Promise<readonly RequiredPlace[]>
  /** Some places were left out, because they are undecided or the time ran out. */
  isPartial(): boolean
}

/** Time reserved for answering. */
const SPARE_MS = 100

export function requiredOf(parts: CodeParts, deadline: Deadline, server: ServerClient): RequiredUses {
  let isPartial = false
  const before = { ...deadline, at: deadline.at - SPARE_MS }
  const scripts = scriptsOf(parts)
  const late = () => new ToolError('timeout', 'Not every script could be looked at in time')
  return {
    isPartial: () => isPartial,
    async of(name, target) {
      try {
        const candidates = await within(before, requiredPlaces(parts, target.path, name, scripts), late)
        const places = await settledPlaces(candidates, target, server)
        isPartial ||= places.some(({ kind }) => kind === 'unsure')
        return places.filter(({ kind }) => kind !== 'unsure')
      } catch (error) {
        if (!(error instanceof ToolError) || error.code !== 'timeout') throw error
        isPartial = true
        return []
      }
    },
  }
}

/** The symbol in question. */
interface Target {
  readonly path: string
  readonly positions: readonly Position[]
}

/**
 * Asks the server about undecided places: it knows the type of a required module, though it does not follow the name.
 * Drops places of another symbol; undecided ones stay `unsure`.
 */
export async function settledPlaces(
  { places, modules, sourcesOf }: Required,
  { path, positions }: Target,
  server: Pick<ServerClient, 'definition' | 'pathOf'>,
): Promise<readonly RequiredPlace[]> {
  const keptPlaces: RequiredPlace[] = []
  for (const place of places) {
    const kind = place.kind === 'unsure' && !place.unserved ? await kindOf(place) : place.kind
    if (kind) keptPlaces.push({ ...place, kind })
  }
  return keptPlaces

  async function kindOf(place: RequiredPlace): Promise<RequiredPlace['kind'] | undefined> {
    const definitions = await server.definition(place.path, place.range.start)
    if (definitions.length === 0) return 'unsure'
    if (definitions.some(isTarget)) return 'use'
    return definitions.some(each => mayReexport(each, place)) ? 'unsure' : undefined
  }

  function isTarget({ uri, range: { start } }: Location): boolean {
    return server.pathOf(uri) === path && positions.some(at => isSamePosition(at, start))
  }

  /** Reports whether a definition is the place itself, or one that may have passed the symbol on. */
  function mayReexport({ uri, range: { start } }: Location, place: RequiredPlace): boolean {
    const file = server.pathOf(uri)
    if (file === place.path)
      return (
        places.some(
          ({ path: at, range, kind }) => at === file && kind === 'brought' && isSamePosition(range.start, start),
        ) || isSamePosition(place.range.start, start)
      )
    if (file === undefined || file === path) return false
    const sources = sourcesOf(file)
    // A built file only tells its possible sources.
    return sources
      ? sources.length === 0 || sources.some(each => each === path || modules.has(each))
      : modules.has(file)
  }
}
