import type { Node } from 'web-tree-sitter'
import type { Access } from '../file-model/file-model.ts'
import { accessOf, childOf, childrenOf } from '../grammar/describe.ts'
import type { Variable } from '../grammar/grammar-language.ts'

export const TYPES = ['user_type', 'nullable_type', 'function_type', 'parenthesized_type', 'non_nullable_type']

export const typeInside = (node: Node): Node | undefined => childOf(node, ...TYPES)

/** What runs the getter or setter of a property; undefined if it has none of its own. */
export function accessor(node: Node): Access | undefined {
  if (node.type !== 'property_declaration') return undefined
  const [reads, writes] = ['getter', 'setter'].map(type => childOf(childOf(node, type), 'function_body') !== undefined)
  return reads && writes ? 'both' : reads ? 'read' : writes ? 'write' : undefined
}

const NAMES =
  /declaration$|_type$|_header$|^(import|qualified_identifier|parameter|class_parameter|label|callable_reference|type_\w+|enum_entry|setter)$/

/** How a name or member is accessed; undefined for a name that declares, labels or types something. */
export function nameAccess(node: Node): Access | undefined {
  const { parent } = node
  if (!parent || isReference(node)) return undefined
  const isFirst = parent.firstNamedChild?.id === node.id
  const isName = /^(navigation|infix)_expression$/.test(parent.type) && parent.namedChild(1)?.id === node.id
  const isLabel = parent.type === 'value_argument' && isFirst && parent.namedChildCount > 1
  const isNamed = NAMES.test(parent.type) && node.previousSibling?.type !== '='
  return isName || isLabel || isNamed ? undefined : accessOf(node)
}

/** `a::b`, and not `A::class`. */
export const isReference = ({ children }: Node): boolean =>
  children[1]?.type === '::' && children[2]?.type === 'identifier'

export function properties(node: Node): readonly Variable[] {
  const delegate = childOf(node, 'property_delegate')
  const variable = childOf(node, 'variable_declaration')
  if (!variable) return childrenOf(childOf(node, 'multi_variable_declaration')).map(variableIn)
  const after = childrenOf(node).slice(childrenOf(node).findIndex(({ id }) => id === variable.id) + 1)
  const init = after.find(({ type }) => !/^(property_delegate|getter|setter|type_constraints|.*comment)$/.test(type))
  const getter = childOf(childOf(node, 'getter') ?? node, 'function_body')?.namedChildren[0]
  return [{ ...variableIn(variable), init: init ?? lazily(delegate) ?? getter ?? undefined }]
}

/** `by lazy { … }` holds the last value of its lambda. */
function lazily(delegate: Node | undefined): Node | undefined {
  const call = delegate && childOf(delegate, 'call_expression')
  if (!call || call.namedChildren[0]?.text !== 'lazy') return undefined
  return childrenOf(childOf(childOf(call, 'annotated_lambda') ?? call, 'lambda_literal') ?? call).at(-1)
}

export function variableIn(node: Node): Variable {
  return { name: childOf(node, 'identifier')?.text ?? '', type: typeInside(node) }
}
