import type { Node } from 'web-tree-sitter'
import { childrenOf, countOf, field, type Expression, type Parameter, type Syntax } from '../syntax.ts'

export const go: Syntax = {
  imports: root =>
    root.descendantsOfType('import_spec').flatMap(node => {
      const path = node && field(node, 'path')?.text.slice(1, -1)
      if (!node || path === undefined) return []
      const local = field(node, 'name')?.text ?? path.slice(path.lastIndexOf('/') + 1)
      const line = node.startPosition.row + 1
      return { module: path.replaceAll('/', '.'), name: '*', local: local === '.' ? '' : local, line }
    }),
  expression,
  type(node) {
    if (node.type === 'pointer_type' || node.type === 'parenthesized_type')
      return go.type(childrenOf(node)[0] ?? node.child(0) ?? node)
    if (node.type === 'slice_type' || node.type === 'array_type') {
      const element = field(node, 'element')
      return element && { name: '[]', args: [element] }
    }
    if (node.type === 'map_type') {
      const value = field(node, 'value')
      return value && { name: 'map', args: [value] }
    }
    if (node.type === 'generic_type') return { name: field(node, 'type')?.text ?? '', args: [] }
    return /^(type_identifier|qualified_type)$/.test(node.type) ? { name: node.text, args: [] } : undefined
  },
  variables: {
    short_var_declaration: node => pairs(field(node, 'left'), field(node, 'right')),
    var_spec: node => {
      const values = childrenOf(field(node, 'value') ?? node)
      const hasValue = field(node, 'value') !== undefined
      return node
        .childrenForFieldName('name')
        .flatMap((each, at) =>
          each ? { name: each.text, type: field(node, 'type'), ...(hasValue && { init: values[at] }) } : [],
        )
    },
    range_clause(node) {
      const names = childrenOf(field(node, 'left') ?? node)
      const name = names.at(-1)?.text ?? ''
      return names.length === 2 ? [{ name, init: field(node, 'right'), isElement: true }] : []
    },
  },
  fields: {
    field_declaration: node =>
      node.childrenForFieldName('name').flatMap(each => (each ? { name: each.text, type: field(node, 'type') } : [])),
  },
  parameters(node) {
    const list = field(node, 'parameters')
    const receiver = field(node, 'receiver')
    if (!list) return undefined
    const own = receiver ? parametersIn(receiver).map(each => ({ ...each, isReceiver: true })) : []
    return [...own, ...parametersIn(list)]
  },
  returns(node) {
    const result = field(node, 'result')
    if (result?.type !== 'parameter_list') return { type: result }
    const [first] = childrenOf(result)
    return { type: first && field(first, 'type') }
  },
  supertypes: () => [],
  scopes: new Set([
    'function_declaration',
    'method_declaration',
    'func_literal',
    'block',
    'for_statement',
    'if_statement',
  ]),
  lambdas: new Set(['func_literal']),
}

function pairs(left: Node | undefined, right: Node | undefined) {
  const values = right ? childrenOf(right) : []
  const names = left ? childrenOf(left) : []
  // Of a call that gives several, the first one is what its first result says.
  return names.flatMap((each, at) =>
    each.type === 'identifier' ? { name: each.text, ...(values[at] && { init: values[at] }) } : [],
  )
}

function expression(node: Node): Expression | undefined {
  switch (node.type) {
    case 'identifier':
      return { is: 'name', name: node.text }
    case 'selector_expression': {
      const [of, name] = [field(node, 'operand'), field(node, 'field')]
      return of && name && { is: 'member', of, name: name.text }
    }
    case 'call_expression': {
      const callee = field(node, 'function')
      return callee && { is: 'call', callee, count: countOf(field(node, 'arguments')) }
    }
    case 'composite_literal': {
      const type = field(node, 'type')
      return type && { is: 'typed', type }
    }
    case 'unary_expression': {
      const as = field(node, 'operand')
      return as && { is: 'same', as }
    }
    case 'parenthesized_expression': {
      const [as] = childrenOf(node)
      return as && { is: 'same', as }
    }
    case 'type_assertion_expression': {
      const type = field(node, 'type')
      return type && { is: 'typed', type }
    }
    case 'index_expression': {
      const of = field(node, 'operand')
      return of && { is: 'element', of }
    }
    default:
      return undefined
  }
}

function parametersIn(list: Node): readonly Parameter[] {
  return childrenOf(list).flatMap(each => {
    const type = field(each, 'type')
    const isRest = each.type === 'variadic_parameter_declaration'
    const names = each.childrenForFieldName('name').flatMap(one => (one ? one.text : []))
    return (names.length > 0 ? names : ['']).map(name => ({ name, type, isRest }))
  })
}
