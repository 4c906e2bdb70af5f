import type { Node } from 'web-tree-sitter'
import { childrenOf, field } from './describe.ts'
import type { ByType, TypeName } from './language.ts'

/** What a written type is called, or the node whose type it stands for. */
type Rule = (node: Node) => TypeName | Node | undefined

/** Reads types by rules for their nodes, and all others by one rule where there is one. */
export const reader =
  (rules: ByType<TypeName | Node | undefined>, otherwise?: Rule) =>
  (node: Node): TypeName | undefined => {
    for (let at = node; ;) {
      const rule = Object.hasOwn(rules, at.type) ? rules[at.type] : otherwise
      const found = rule?.(at)
      if (!found || !('id' in found)) return found
      at = found
    }
  }

export const plain = ({ text }: Node): TypeName => ({ name: text, args: [] })

/** What its first child is. */
export const first: Rule = node => childrenOf(node)[0]

/** What this field is. */
export const inner =
  (name: string): Rule =>
  node =>
    field(node, name)

/** Holds what this field is. */
export const collection =
  (elementField: string, name = '[]'): Rule =>
  node => {
    const element = field(node, elementField)
    return element && { name, args: [element] }
  }

/** A name, and its arguments behind it. */
export const generic: Rule = node => {
  const [name, args] = childrenOf(node)
  return name && { name: name.text, args: childrenOf(args) }
}
