import type { Usage } from '../../../languages/file-model/usage.ts'
import { rangeKey, type Location, type Position } from '../servers/lsp-schemas.ts'
import type { ServerClient } from '../servers/types.ts'
import { ownerNode, type Use } from './call-node.ts'
import type { FileQueries } from './file-queries.ts'
import type { RequiredUses } from './required/required-of.ts'

export interface UseParts {
  readonly server: ServerClient
  readonly looks: FileQueries
  readonly mayRead: (path: string) => boolean
}

export interface CallParts extends UseParts {
  readonly required: RequiredUses
}

/** Every reference to a symbol, import aliases included. */
export async function mentions(
  from: string,
  positions: readonly Position[],
  parts: UseParts,
  options: { readonly declarations?: boolean } = {},
): Promise<readonly Location[]> {
  const { server } = parts
  const placeByKey = new Map<string, Location>()
  const askedKeys = new Set<string>()
  const open = positions.map(position => ({ path: from, position }))
  for (let next = open.pop(); next; next = open.pop()) {
    const key = `${next.path} ${next.position.line}:${next.position.character}`
    if (askedKeys.has(key)) continue
    askedKeys.add(key)
    const places = await server.references(next.path, next.position, options)
    for (const place of places) placeByKey.set(`${place.uri} ${rangeKey(place.range)}`, place)
    for (const { path, usage } of await usedPlaces(places, parts))
      if (usage.role === 'import' && usage.alias !== undefined)
        open.push({ path, position: parts.looks.source(path).positionOf(usage.alias) })
  }
  return [...placeByKey.values()]
}

/** A place in a readable file, and the usage of the name there. */
export interface UsedPlace extends Use {
  readonly position: Position
  readonly usage: Usage
}

/** The usage of a name at each of these places. */
export async function usedPlaces(
  locations: readonly Pick<Location, 'uri' | 'range'>[],
  { server, looks, mayRead }: UseParts,
): Promise<readonly UsedPlace[]> {
  const byPath = Map.groupBy(locations, ({ uri }) => server.pathOf(uri))
  const placesByPath = [...byPath].map(([path, places]) => {
    if (path === undefined || !mayRead(path)) return []
    const positions = places.map(({ range }) => range.start)
    return placesIn(path, positions, looks)
  })
  return (await Promise.all(placesByPath)).flat()
}

/** The same in one file. */
export async function placesIn(
  path: string,
  positions: readonly Position[],
  looks: UseParts['looks'],
): Promise<readonly UsedPlace[]> {
  const usages = await looks.usages(path, positions)
  return usages.flatMap((usage, at) => {
    const position = positions[at]
    if (!position) return []
    return { path, position, line: position.line + 1, usage, by: ownerNode(path, usage.by, looks) }
  })
}
