import type { Node } from 'web-tree-sitter'
import { childrenOf, field } from './describe.ts'
import type { ByType, TypeName } from './grammar-language.ts'

/** The name of a written type, or the node that it stands for. */
type Rule = (node: Node) => TypeName | Node | undefined

/** Reads types by rules per node, and all others by one default rule. */
export const reader =
  (rules: ByType<TypeName | Node | undefined>, otherwise?: Rule) =>
  (node: Node): TypeName | undefined => {
    for (let at = node; ;) {
      const rule = Object.hasOwn(rules, at.type) ? rules[at.type] : otherwise
      const typeOrNode = rule?.(at)
      if (!typeOrNode || !('id' in typeOrNode)) return typeOrNode
      at = typeOrNode
    }
  }

export const plain = ({ text }: Node): TypeName => ({ name: text, args: [] })

/** The type of its first child. */
export const first: Rule = node => childrenOf(node)[0]

/** The type of this field. */
export const inner =
  (name: string): Rule =>
  node =>
    field(node, name)

/** A collection of this field's type. */
export const collection =
  (elementField: string, name = '[]'): Rule =>
  node => {
    const element = field(node, elementField)
    return element && { name, args: [element] }
  }

/** A name followed by its arguments. */
export const generic: Rule = node => {
  const [name, args] = childrenOf(node)
  return name && { name: name.text, args: childrenOf(args) }
}
