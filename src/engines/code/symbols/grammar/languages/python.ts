import type { Node } from 'web-tree-sitter'
import type { OwnImport } from '../../file-code.ts'
import { childrenOf, countOf, field, type Expression, type Parameter, type Syntax } from '../syntax.ts'

export const python: Syntax = {
  imports: root =>
    root
      .descendantsOfType(['import_statement', 'import_from_statement'])
      .flatMap((node): readonly OwnImport[] => (node ? importsIn(node) : [])),
  expression,
  type(node) {
    if (node.type === 'type' || node.type === 'generic_type' || node.type === 'subscript') {
      const [name, ...args] = childrenOf(node)
      if (!name) return undefined
      if (node.type === 'type') return python.type(name)
      return { name: name.text, args: args.flatMap(each => (each.type === 'type_parameter' ? childrenOf(each) : each)) }
    }
    if (node.type === 'binary_operator') return python.type(field(node, 'left') ?? node)
    return node.type === 'identifier' || node.type === 'attribute' ? { name: node.text, args: [] } : undefined
  },
  variables: {
    assignment(node) {
      const left = field(node, 'left')
      return left?.type === 'identifier'
        ? [{ name: left.text, type: field(node, 'type'), init: field(node, 'right') }]
        : []
    },
    for_statement: node => [{ name: field(node, 'left')?.text ?? '', init: field(node, 'right'), isElement: true }],
    lambda_parameters: node => childrenOf(node).map(each => ({ name: each.text })),
    as_pattern: node => [{ name: field(node, 'alias')?.text ?? '', init: childrenOf(node)[0] }],
  },
  fields: {
    assignment(node) {
      const left = field(node, 'left')
      const init = field(node, 'right')
      if (left?.type === 'attribute' && field(left, 'object')?.text === 'self')
        return [{ name: field(left, 'attribute')?.text ?? '', type: field(node, 'type'), init, isOfClass: true }]
      const isInClass = node.parent?.parent?.parent?.type === 'class_definition'
      return left?.type === 'identifier' && isInClass ? [{ name: left.text, type: field(node, 'type'), init }] : []
    },
  },
  parameters(node) {
    const list = field(node, 'parameters')
    return list && childrenOf(list).flatMap((each, at) => parameter(each, at === 0))
  },
  returns: node => ({ type: field(node, 'return_type') }),
  supertypes: node => {
    const list = field(node, 'superclasses')
    return list ? childrenOf(list).filter(({ type }) => /^(identifier|attribute|subscript)$/.test(type)) : []
  },
  scopes: new Set(['function_definition', 'lambda', 'class_definition']),
  lambdas: new Set(['lambda']),
}

function importsIn(node: Node): readonly OwnImport[] {
  const line = node.startPosition.row + 1
  const from = field(node, 'module_name')?.text
  const names = node.childrenForFieldName('name').flatMap(each => {
    if (!each) return []
    const name = field(each, 'name')?.text ?? each.text
    return { name, local: field(each, 'alias')?.text }
  })
  if (from === undefined)
    return names.map(({ name, local = name.replace(/\..*/, '') }) => ({ module: name, name: '*', local, line }))
  if (names.length === 0) return [{ module: from, name: '*', local: '', line }]
  return names.map(({ name, local = name }) => ({ module: from, name, local, line }))
}

function expression(node: Node): Expression | undefined {
  switch (node.type) {
    case 'identifier':
      return node.text === 'self' || node.text === 'cls' ? { is: 'this' } : { is: 'name', name: node.text }
    case 'attribute': {
      const [of, name] = [field(node, 'object'), field(node, 'attribute')]
      return of && name && { is: 'member', of, name: name.text }
    }
    case 'call': {
      const callee = field(node, 'function')
      if (callee?.text === 'super') return { is: 'super' }
      return callee && { is: 'call', callee, count: argumentsOf(field(node, 'arguments')) }
    }
    case 'await':
    case 'parenthesized_expression': {
      const [as] = childrenOf(node)
      return as && { is: 'same', as }
    }
    case 'subscript': {
      const of = field(node, 'value')
      return of && { is: 'element', of }
    }
    case 'string':
      return { is: 'literal', type: 'str' }
    default:
      return undefined
  }
}

const argumentsOf = (list: Node | undefined): number =>
  list &&
  /[*]/.test(
    childrenOf(list)
      .map(({ type }) => (/splat/.test(type) ? '*' : ''))
      .join(''),
  )
    ? -1
    : countOf(list)

function parameter(node: Node, isFirst: boolean): readonly Parameter[] {
  if (isFirst && /^(self|cls)$/.test(node.text)) return []
  if (node.type === 'identifier') return [{ name: node.text }]
  if (/splat/.test(node.type)) return [{ name: childrenOf(node)[0]?.text ?? '', isRest: true }]
  const name = field(node, 'name')?.text ?? childrenOf(node)[0]?.text
  if (name === undefined || /separator/.test(node.type)) return []
  return [
    { name, type: field(node, 'type'), isOptional: field(node, 'value') !== undefined, isRest: name.startsWith('*') },
  ]
}
