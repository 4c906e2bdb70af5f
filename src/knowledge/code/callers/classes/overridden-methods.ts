import { languageOf } from '../../../model/languages.ts'
import type { CallNode } from '../call-node.ts'
import type { UseParts } from '../mentions.ts'
import { classTree, type ClassAt, type ClassTree } from './class-tree.ts'

/** What a method is called by besides its own name: the methods that it overrides. */
export interface OverriddenMethods {
  of(node: OverriddenMethod): Promise<readonly OverriddenMethod[]>
  /** It may override one that is not in the workspace, whose calls nobody lists. */
  isPartial(): boolean
}

export type OverriddenMethod = Pick<CallNode, 'name' | 'path' | 'positions'>

/** Bases from outside whose methods nobody calls by their names but on objects of their own classes. */
const PLAIN =
  /^(NamedTuple|TypedDict|(Int|Str)?Enum|(Int)?Flag|(Base)?Exception|(Value|Type|Runtime|Lookup|Key|OS)Error)$/

/** For Python, whose server takes a call for one of the method that the written type has, and no other. */
export function overriddenMethods(parts: UseParts): OverriddenMethods {
  const tree = classTree(parts)
  let isPartial = false
  return {
    isPartial: () => isPartial,
    async of(node) {
      const [position] = node.positions
      const name = node.name.slice(node.name.lastIndexOf('.') + 1)
      // Making an object names its class, and a private name is that of one class alone.
      if (!position || name.startsWith('__') || languageOf(node.path) !== 'python') return []
      const own = await tree.classOf(node.path, position)
      if (!own) return []
      const above = new Map<string, ClassAt>()
      for (const one of await inheriting(tree, own, name)) {
        const { classes, outside, isUnknown } = await tree.order(one)
        const having = await thatHave(tree, classes, name)
        // Another base comes first, and hides it.
        if (having[0]?.key !== own.key) continue
        isPartial ||= isUnknown || outside.some(each => !PLAIN.test(each))
        for (const each of having.slice(1)) above.set(each.key, each)
      }
      return Promise.all([...above.values()].map(each => methodOf(tree, each, name)))
    },
  }
}

/** A class and those below it that have its method, as they have none of their own. */
export async function inheriting(tree: ClassTree, own: ClassAt, name: string): Promise<readonly ClassAt[]> {
  const found = new Map([[own.key, own]])
  for (const one of found.values())
    for (const below of await tree.derived(one)) if (!(await tree.member(below, name))) found.set(below.key, below)
  return [...found.values()]
}

async function thatHave(tree: ClassTree, classes: readonly ClassAt[], name: string): Promise<readonly ClassAt[]> {
  const members = await Promise.all(classes.map(each => tree.member(each, name)))
  return classes.filter((_, at) => members[at] !== undefined)
}

async function methodOf(tree: ClassTree, one: ClassAt, name: string): Promise<OverriddenMethod> {
  const named = await tree.member(one, name)
  if (!named) throw new Error('What was found in a class is in it')
  return { name: named.name, path: one.path, positions: [named.selection.start] }
}
