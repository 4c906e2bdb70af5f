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

const TYPES = ['type_identifier', 'generic_type', 'scoped_type_identifier', 'array_type', 'integral_type']

export const java: Syntax = {
  package: root => childOf(root, 'package_declaration')?.namedChildren.find(each => each?.type !== 'annotation')?.text,
  imports: root =>
    childrenOf(root)
      .filter(({ type }) => type === 'import_declaration')
      .map(node => {
        const path = childOf(node, 'scoped_identifier', 'identifier')?.text ?? ''
        const line = node.startPosition.row + 1
        if (childOf(node, 'asterisk')) return { module: path, name: '*', local: '', line }
        const dot = path.lastIndexOf('.')
        const name = path.slice(dot + 1)
        return { module: path.slice(0, Math.max(dot, 0)), name, local: name, line }
      }),
  expression,
  type(node) {
    if (node.type === 'generic_type') {
      const [name, args] = childrenOf(node)
      return name && { name: name.text, args: args ? childrenOf(args) : [] }
    }
    if (node.type === 'array_type') {
      const element = field(node, 'element')
      return element && { name: 'Array', args: [element] }
    }
    if (node.type === 'type_identifier' && node.text === 'var') return undefined
    return { name: node.text, args: [] }
  },
  variables: {
    local_variable_declaration: declarators,
    enhanced_for_statement: node => [
      { name: field(node, 'name')?.text ?? '', type: written(node), init: field(node, 'value'), isElement: true },
    ],
    lambda_expression: node => lambdaVariables(node, written),
    catch_formal_parameter: node => [{ name: field(node, 'name')?.text ?? '' }],
    resource: node => [{ name: field(node, 'name')?.text ?? '', type: written(node), init: field(node, 'value') }],
    instanceof_expression: node => [{ name: field(node, 'name')?.text ?? '', type: field(node, 'right') }],
  },
  fields: {
    field_declaration: declarators,
    enum_constant: node => [{ name: field(node, 'name')?.text ?? '', isOwn: true }],
  },
  parameters(node) {
    const list = field(node, 'parameters')
    return (
      list &&
      childrenOf(list).flatMap(each => {
        const isRest = each.type === 'spread_parameter'
        if (each.type !== 'formal_parameter' && !isRest) return []
        const name = field(isRest ? (childOf(each, 'variable_declarator') ?? each) : each, 'name')?.text ?? ''
        const type = isRest ? childOf(each, ...TYPES) : written(each)
        return { name, type, isRest, isProperty: node.type === 'record_declaration' }
      })
    )
  },
  returns: node => ({ type: written(node) }),
  supertypes: node =>
    childrenOf(node).flatMap(each => {
      if (each.type === 'superclass') return childrenOf(each)
      if (each.type !== 'super_interfaces' && each.type !== 'extends_interfaces') return []
      return childrenOf(childOf(each, 'type_list') ?? each)
    }),
  anonymous({ type, parent }) {
    if (type !== 'class_body' || parent?.type !== 'object_creation_expression') return undefined
    const above = field(parent, 'type')
    return above ? [above] : []
  },
  isStatic: node => /\bstatic\b/.test(childOf(node, 'modifiers')?.text ?? ''),
  overriding(node) {
    const said = childOf(node, 'modifiers')?.text ?? ''
    return { isPrivate: /\bprivate\b/.test(said), isOverride: /@(java\.lang\.)?Override\b/.test(said) }
  },
  scopes: new Set([
    'method_declaration',
    'constructor_declaration',
    'block',
    'lambda_expression',
    'enhanced_for_statement',
    'for_statement',
    'class_body',
    'try_with_resources_statement',
    'catch_clause',
  ]),
  lambdas: new Set(['lambda_expression']),
  lambdaScope(call) {
    const lambda = childOf(field(call, 'arguments') ?? call, 'lambda_expression')
    const value = field(call, 'object')
    return lambda && value && { lambda, first: { value, isElement: true } }
  },
}

function written(node: Node): Node | undefined {
  const type = field(node, 'type')
  return type?.text === 'var' ? undefined : type
}

function expression(node: Node): Expression | undefined {
  switch (node.type) {
    case 'identifier':
      return { is: 'name', name: node.text }
    case 'field_access': {
      const [of, name] = [field(node, 'object'), field(node, 'field')]
      return of && name && { is: 'member', of, name: name.text }
    }
    case 'method_invocation': {
      const name = field(node, 'name')?.text
      if (name === undefined) return undefined
      return { is: 'call', callee: { of: field(node, 'object'), name }, count: countOf(field(node, 'arguments')) }
    }
    case 'object_creation_expression': {
      const type = field(node, 'type')
      return type && { is: 'new', type, count: countOf(field(node, 'arguments')) }
    }
    case 'method_reference': {
      const [of, name] = childrenOf(node)
      return name && { is: 'call', callee: { of, name: name.text }, count: -1 }
    }
    case 'explicit_constructor_invocation': {
      const callee = field(node, 'constructor')
      return callee && { is: 'call', callee, count: countOf(field(node, 'arguments')) }
    }
    case 'this':
      return { is: 'this' }
    case 'super':
      return { is: 'super' }
    case 'parenthesized_expression': {
      const [as] = childrenOf(node)
      return as && { is: 'same', as }
    }
    case 'cast_expression': {
      const type = field(node, 'type')
      return type && { is: 'typed', type }
    }
    case 'array_access': {
      const of = field(node, 'array')
      return of && { is: 'element', of }
    }
    case 'string_literal':
      return { is: 'literal', type: 'String' }
    default:
      return undefined
  }
}

function declarators(node: Node): readonly Variable[] {
  const isStatic = java.isStatic?.(node) ?? false
  return node.childrenForFieldName('declarator').flatMap(each => {
    const name = each && field(each, 'name')?.text
    return name ? { name, type: written(node), init: field(each, 'value'), isStatic } : []
  })
}
