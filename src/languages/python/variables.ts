import type { Node } from 'web-tree-sitter'
import { childrenOf, descendants, field, textOf } from '../grammar/describe.ts'
import type { Variable } from '../grammar/grammar-language.ts'

/** The targets and values of an assignment: `a, b = c, d` is two. */
export function targetsOf(node: Node): readonly { readonly target: Node; readonly init?: Node | undefined }[] {
  const leftSide = field(node, 'left')
  let right = field(node, 'right')
  while (right?.type === 'assignment') right = field(right, 'right')
  if (!leftSide) return []
  if (!/^(pattern_list|tuple_pattern)$/.test(leftSide.type)) return [{ target: leftSide, init: right }]
  const values = right && /^(expression_list|tuple)$/.test(right.type) ? childrenOf(right) : []
  return childrenOf(leftSide).map((target, at) => ({ target, init: values[at] }))
}

export function loopVariables(node: Node): readonly Variable[] {
  const target = field(node, 'left')
  if (target?.type === 'identifier') return [{ name: target.text, init: field(node, 'right'), isElement: true }]
  return descendants(target, 'identifier').map(({ text }) => ({ name: text }))
}

/** A name that a `case` binds. */
export function caseVariables(node: Node): readonly Variable[] {
  const [inner] = childrenOf(node)
  const name = inner?.type === 'as_pattern' ? childrenOf(inner).at(-1) : inner
  const isBound = name?.type === 'identifier' || (name?.type === 'dotted_name' && name.namedChildCount === 1)
  return isBound ? [{ name: name.text }] : []
}

/** `except A as a` and `with a as b` */
export function aliasVariables(node: Node): readonly Variable[] {
  const name = textOf(node, 'alias')
  const [of] = childrenOf(node)
  if (node.parent?.type === 'except_clause') return [{ name, type: of }]
  const isManaged = node.parent?.type === 'with_item'
  return [{ name, init: of, ...(isManaged && { by: '__enter__' }) }]
}
