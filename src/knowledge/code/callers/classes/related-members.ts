import type { NamedSymbol } from '../named-symbol.ts'
import type { ClassAt, ClassTree } from './class-tree.ts'

interface RelatedMembers {
  /** Members of one name that replace each other in some class, including the given one. */
  readonly members: readonly MemberAt[]
  /** Classes whose objects have one of them, and their ancestors. */
  readonly classes: readonly ClassAt[]
}

interface MemberAt {
  readonly path: string
  readonly named: NamedSymbol
}

/** The members that override a class's own or that it overrides, also through a class derived from both. */
export async function relatedMembers(tree: ClassTree, ownClass: ClassAt, name: string): Promise<RelatedMembers> {
  const members = new Map<string, MemberAt>()
  const classes = new Map<string, ClassAt>()
  const classByKey = new Map([[ownClass.key, ownClass]])
  for (const one of classByKey.values()) {
    for (const below of await withDerived(tree, one))
      for (const each of (await tree.order(below)).classes) {
        classes.set(each.key, each)
        const member = await tree.member(each, name)
        if (!member) continue
        classByKey.set(each.key, each)
        members.set(each.key, { path: each.path, named: member })
      }
  }
  return { members: [...members.values()], classes: [...classes.values()] }
}

async function withDerived(tree: ClassTree, one: ClassAt): Promise<readonly ClassAt[]> {
  const classByKey = new Map([[one.key, one]])
  for (const each of classByKey.values()) for (const below of await tree.derived(each)) classByKey.set(below.key, below)
  return [...classByKey.values()]
}
