import type { Usage } from '../../model/usage/usage.ts'
import type { Location, Position } from '../servers/lsp-words.ts'
import { ownerNode, type Use } from './call-node.ts'
import type { UseParts } from './mentions.ts'

/** A place in a file that may be read, and what the name does there. */
export interface UsedPlace extends Use {
  readonly position: Position
  readonly usage: Usage
}

/** What a name does at each of these places. */
export async function usedPlaces(
  locations: readonly Pick<Location, 'uri' | 'range'>[],
  { server, looks, mayRead }: UseParts,
): Promise<readonly UsedPlace[]> {
  const byPath = new Map<string, Position[]>()
  for (const { uri, range } of locations) {
    const path = server.pathOf(uri)
    if (path !== undefined && mayRead(path)) byPath.set(path, [...(byPath.get(path) ?? []), range.start])
  }
  const found = await Promise.all([...byPath].map(([path, positions]) => placesIn(path, positions, looks)))
  return found.flat()
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
