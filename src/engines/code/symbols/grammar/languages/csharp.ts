import type { Node } from 'web-tree-sitter'
import {
  childOf,
  childrenOf,
  countOf,
  field,
  lambdaVariables,
  type Expression,
  type Syntax,
  type Variable,
} from '../syntax.ts'

export const csharp: Syntax = {
  package: root =>
    field(root.descendantsOfType(['namespace_declaration', 'file_scoped_namespace_declaration'])[0] ?? root, 'name')
      ?.text,
  imports: root =>
    root.descendantsOfType('using_directive').flatMap(node => {
      const names = node ? childrenOf(node) : []
      const module = names.at(-1)?.text
      if (!node || module === undefined) return []
      const line = node.startPosition.row + 1
      const alias = field(node, 'name')?.text
      if (alias === undefined || names.length < 2) return { module, name: '*', local: '', line }
      const dot = module.lastIndexOf('.')
      return { module: module.slice(0, Math.max(dot, 0)), name: module.slice(dot + 1), local: alias, line }
    }),
  expression,
  type(node) {
    if (node.type === 'implicit_type') return undefined
    if (node.type === 'nullable_type') return csharp.type(childrenOf(node)[0] ?? node)
    if (node.type === 'array_type') {
      const element = field(node, 'type')
      return element && { name: '[]', args: [element] }
    }
    if (node.type === 'generic_name') {
      const [name, args] = childrenOf(node)
      return name && { name: name.text, args: args ? childrenOf(args) : [] }
    }
    return { name: node.text, args: [] }
  },
  variables: {
    local_declaration_statement: declarators,
    foreach_statement: node => [
      { name: field(node, 'left')?.text ?? '', type: written(node), init: field(node, 'right'), isElement: true },
    ],
    lambda_expression: node => lambdaVariables(node, written),
  },
  fields: {
    field_declaration: declarators,
    property_declaration: node => [{ name: field(node, 'name')?.text ?? '', type: written(node) }],
    enum_member_declaration: node => [{ name: field(node, 'name')?.text ?? '', isOwn: true }],
  },
  parameters(node) {
    const list = field(node, 'parameters')
    if (!list) return undefined
    const own = childrenOf(list).flatMap(each =>
      each.type === 'parameter'
        ? {
            name: field(each, 'name')?.text ?? '',
            type: written(each),
            isOptional: /=/.test(each.text),
            isReceiver: isExtended(each),
          }
        : [],
    )
    // `params` stands in the list itself, not in a parameter of its own.
    const rest = field(list, 'name')?.text
    return rest === undefined ? own : [...own, { name: rest, type: field(list, 'type'), isRest: true }]
  },
  returns: node => ({ type: field(node, 'returns') }),
  supertypes: node => {
    const list = childOf(node, 'base_list')
    return list ? childrenOf(list).filter(({ type }) => /^(identifier|qualified_name|generic_name)$/.test(type)) : []
  },
  receiver(node) {
    const first = childOf(field(node, 'parameters') ?? node, 'parameter')
    const type = first && isExtended(first) ? written(first) : undefined
    return type && csharp.type(type)?.name.replace(/^.*\./, '')
  },
  isStatic: node => childrenOf(node).some(({ type, text }) => type === 'modifier' && text === 'static'),
  scopes: new Set(['method_declaration', 'constructor_declaration', 'block', 'lambda_expression', 'foreach_statement']),
  lambdas: new Set(['lambda_expression']),
}

/** `this` before the first parameter makes a method of its type. */
const isExtended = (parameter: Node): boolean => childOf(parameter, 'modifier')?.text === 'this'

function written(node: Node): Node | undefined {
  const type = field(node, 'type')
  return type?.type === 'implicit_type' ? undefined : type
}

function declarators(node: Node): readonly Variable[] {
  const declaration = childOf(node, 'variable_declaration')
  if (!declaration) return []
  return childrenOf(declaration).flatMap(each => {
    const name = each.type === 'variable_declarator' ? field(each, 'name') : undefined
    if (!name) return []
    const init = childrenOf(each).find(({ id }) => id !== name.id)
    return { name: name.text, type: written(declaration), init }
  })
}

function expression(node: Node): Expression | undefined {
  switch (node.type) {
    case 'identifier':
      return { is: 'name', name: node.text }
    case 'this':
      return { is: 'this' }
    case 'base':
      return { is: 'super' }
    case 'member_access_expression': {
      const [of, name] = [field(node, 'expression'), field(node, 'name')]
      return of && name && { is: 'member', of, name: name.text.replace(/<.*/s, '') }
    }
    case 'invocation_expression': {
      const callee = field(node, 'function')
      return callee && { is: 'call', callee, count: countOf(field(node, 'arguments')) }
    }
    case 'object_creation_expression': {
      const type = field(node, 'type')
      return type && { is: 'new', type, count: countOf(field(node, 'arguments')) }
    }
    case 'await_expression':
    case 'parenthesized_expression': {
      const [as] = childrenOf(node)
      return as && { is: 'same', as }
    }
    case 'cast_expression': {
      const type = field(node, 'type')
      return type && { is: 'typed', type }
    }
    case 'string_literal':
      return { is: 'literal', type: 'string' }
    default:
      return undefined
  }
}
