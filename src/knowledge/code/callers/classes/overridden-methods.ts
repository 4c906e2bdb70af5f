import { languageAt } from '../../../../languages/registry.ts'
import { KIND, rangeKey, type Location, type Position } from '../../servers/lsp-schemas.ts'
import type { CallNode, PossibleUse } from '../call-node.ts'
import { mentions, usedPlaces, type CallParts, type UseParts } from '../mentions.ts'
import { classTree, type ClassAt, type ClassTree } from './class-tree.ts'

/** The methods that a method overrides, whose calls may call it. */
interface OverriddenMethods {
  of(node: OverriddenMethod): Promise<readonly OverriddenMethod[]>
  /** It may override a method outside of the workspace, whose calls are unknown. */
  isPartial(): boolean
}

type OverriddenMethod = Pick<CallNode, 'name' | 'path' | 'positions'>

/** Outside bases whose methods are called by name only on objects of their own classes. */
const PLAIN =
  /^(NamedTuple|TypedDict|(Int|Str)?Enum|(Int)?Flag|(Base)?Exception|(Value|Type|Runtime|Lookup|Key|OS)Error)$/

/** Reports whether a base from outside of the workspace calls no methods of its heirs by names of its own. */
export const isPlainBase = (name: string): boolean => PLAIN.test(name)

/** Where classes are read: the server assigns a call only to the method of the declared type. */
export function overriddenMethods(parts: UseParts): OverriddenMethods {
  const tree = classTree(parts)
  let isPartial = false
  return {
    isPartial: () => isPartial,
    async of(node) {
      const [position] = node.positions
      const name = node.name.slice(node.name.lastIndexOf('.') + 1)
      // Constructing an object names its class, and a private name belongs to one class alone.
      if (!position || name.startsWith('__') || !languageAt(node.path).readsClasses) return []
      const ownClass = await tree.classOf(node.path, position)
      if (!ownClass) return []
      const above = new Map<string, ClassAt>()
      for (const one of await inheriting(tree, ownClass, name)) {
        const { classes, outside, isUnknown } = await tree.order(one)
        const declaringClasses = await thatHave(tree, classes, name)
        // Another base comes first, and hides it.
        if (declaringClasses[0]?.key !== ownClass.key) continue
        isPartial ||= isUnknown || outside.some(each => !isPlainBase(each))
        for (const each of declaringClasses.slice(1)) above.set(each.key, each)
      }
      return Promise.all([...above.values()].map(each => methodOf(tree, each, name)))
    },
  }
}

/** A class and its descendants that inherit its method. */
export async function inheriting(tree: ClassTree, ownClass: ClassAt, name: string): Promise<readonly ClassAt[]> {
  const classByKey = new Map([[ownClass.key, ownClass]])
  for (const one of classByKey.values())
    for (const below of await tree.derived(one)) if (!(await tree.member(below, name))) classByKey.set(below.key, below)
  return [...classByKey.values()]
}

async function thatHave(tree: ClassTree, classes: readonly ClassAt[], name: string): Promise<readonly ClassAt[]> {
  const members = await Promise.all(classes.map(each => tree.member(each, name)))
  return classes.filter((_, at) => members[at] !== undefined)
}

async function methodOf(tree: ClassTree, one: ClassAt, name: string): Promise<OverriddenMethod> {
  const member = await tree.member(one, name)
  if (!member) throw new Error('A member found in a class is missing from it')
  return { name: member.name, path: one.path, positions: [member.selection.start] }
}

interface DispatchParts extends CallParts {
  readonly overridden: OverriddenMethods
}

/** Calls of the overridden methods on objects whose class may have this one. */
export async function dispatchedUses(
  { name, path, positions: [position] }: CallNode,
  parts: DispatchParts,
): Promise<readonly PossibleUse[]> {
  if (!position) return []
  const places = await dispatchedPlaces(name, path, position, parts, parts.overridden)
  const uses = await Promise.all(
    places.map(async place => {
      const callUses = (await usedPlaces([place], parts)).filter(({ usage }) => usage.role === 'call')
      return callUses.map(use => ({ ...use, why: `through ${place.through}, which it overrides` }))
    }),
  )
  return uses.flat()
}

/** References to a method by the method that it overrides. */
export async function dispatchedPlaces(
  name: string,
  path: string,
  position: Position,
  parts: UseParts,
  overridden: OverriddenMethods = overriddenMethods(parts),
): Promise<readonly (Location & { readonly through: string })[]> {
  const places: (Location & { readonly through: string })[] = []
  for (const above of await overridden.of({ name, path, positions: [position] }))
    for (const place of await mentions(above.path, above.positions, parts)) {
      const file = parts.server.pathOf(place.uri)
      if (file !== undefined && (await isDispatched(file, place.range.start, parts)))
        places.push({ ...place, through: above.name })
    }
  return places
}

/** Searches no further back for a receiver. */
const LONGEST = 300
const ABOVE = /\bsuper\s*\([^()]*\)\s*\.\s*$/u
const RECEIVER = /([\w)\]}"'])\s*\.\s*$/u

/** Returns false if the class itself or `super()` selects the method. */
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
    const symbol = (await looks.named(file)).find(each => rangeKey(each.selection) === rangeKey(range))
    if (symbol?.kind === KIND.class) return true
  }
  return false
}
