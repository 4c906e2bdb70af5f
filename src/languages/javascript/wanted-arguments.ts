import type { Node, TSTypeParameterInstantiation } from 'oxc-parser'
import { keyName } from './names.ts'

/** Type arguments of a variable's declared type, for the function of the same name that creates its value. */
const wantedBy = new WeakMap<Node, TSTypeParameterInstantiation>()

export const wantedArguments = (callee: Node): TSTypeParameterInstantiation | undefined => wantedBy.get(callee)

/** `const x: make<A> = make(…)` calls `make<A>`. */
export function noteWanted(type: Node, init: Node | null): void {
  if (init?.type !== 'CallExpression' || init.typeArguments || type.type !== 'TSTypeReference') return
  if (type.typeArguments && lastName(type.typeName) === lastName(init.callee))
    wantedBy.set(init.callee, type.typeArguments)
}

const lastName = (node: Node): string | undefined => {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'TSQualifiedName') return node.right.name
  return node.type === 'MemberExpression' ? keyName(node.property, node.computed) : undefined
}
