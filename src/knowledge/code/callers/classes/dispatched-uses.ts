import { KIND, rangeKey, type Location, type Position } from '../../servers/lsp-words.ts'
import type { CallNode, PossibleUse } from '../call-node.ts'
import { mentions, usedPlaces, type CallParts, type UseParts } from '../mentions.ts'
import { overriddenMethods, type OverriddenMethods } from './overridden-methods.ts'

export interface DispatchParts extends CallParts {
  readonly overridden: OverriddenMethods
}

/** Calls of the methods that one overrides, where the object may be of a class that has this one. */
export async function dispatchedUses(
  { name, path, positions: [position] }: CallNode,
  parts: DispatchParts,
): Promise<readonly PossibleUse[]> {
  if (!position) return []
  const found = await dispatchedPlaces(name, path, position, parts, parts.overridden)
  const uses = await Promise.all(
    found.map(async place => {
      const used = (await usedPlaces([place], parts)).filter(({ usage }) => usage.role === 'call')
      return used.map(use => ({ ...use, why: `through ${place.through}, which it overrides` }))
    }),
  )
  return uses.flat()
}

/** Where a method is meant besides by the name that it overrides. */
export async function dispatchedPlaces(
  name: string,
  path: string,
  position: Position,
  parts: UseParts,
  overridden: OverriddenMethods = overriddenMethods(parts),
): Promise<readonly (Location & { readonly through: string })[]> {
  const found: (Location & { readonly through: string })[] = []
  for (const above of await overridden.of({ name, path, positions: [position] }))
    for (const place of await mentions(above.path, above.positions, parts)) {
      const file = parts.server.pathOf(place.uri)
      if (file !== undefined && (await isDispatched(file, place.range.start, parts)))
        found.push({ ...place, through: above.name })
    }
  return found
}

/** No receiver is looked for further back. */
const LONGEST = 300
const ABOVE = /\bsuper\s*\([^()]*\)\s*\.\s*$/u
const RECEIVER = /([\w)\]}"'])\s*\.\s*$/u

/** Not where the class itself or `super()` says which method is meant. */
async function isDispatched(path: string, start: Position, parts: UseParts): Promise<boolean> {
  const { text, offsetOf, positionOf } = parts.looks.source(path)
  const from = Math.max(0, offsetOf(start) - LONGEST)
  const before = text.slice(from, offsetOf(start))
  const receiver = RECEIVER.exec(before)
  if (!receiver || ABOVE.test(before)) return false
  const at = positionOf(from + receiver.index)
  return !/\w/u.test(receiver[1] ?? '') || !(await isClass(path, at, parts))
}

async function isClass(path: string, position: Position, { server, looks, mayRead }: UseParts): Promise<boolean> {
  for (const { uri, range } of await server.definition(path, position)) {
    const file = server.pathOf(uri)
    if (file === undefined || !mayRead(file)) continue
    const named = (await looks.named(file)).find(each => rangeKey(each.selection) === rangeKey(range))
    if (named?.kind === KIND.class) return true
  }
  return false
}
