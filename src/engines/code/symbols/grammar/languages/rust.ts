import type { Node } from 'web-tree-sitter'
import type { OwnImport } from '../../file-code.ts'
import { childrenOf, countOf, field, type Expression, type Parameter, type Syntax } from '../syntax.ts'

export const rust: Syntax = {
  imports: root =>
    root.descendantsOfType('use_declaration').flatMap(node => {
      const argument = node && field(node, 'argument')
      return node && argument ? brought(argument, [], node.startPosition.row + 1) : []
    }),
  expression,
  type(node) {
    if (node.type === 'reference_type' || node.type === 'pointer_type') {
      const inner = field(node, 'type')
      return inner && rust.type(inner)
    }
    if (node.type === 'generic_type') {
      const args = field(node, 'type_arguments')
      const name = field(node, 'type')?.text.replaceAll('::', '.') ?? ''
      const held = args ? childrenOf(args) : []
      // What these hold is what is called.
      const [first] = held
      return /^(Box|Rc|Arc|RefMut|Ref)$/.test(name) && first ? rust.type(first) : { name, args: held }
    }
    return /^(type_identifier|scoped_type_identifier)$/.test(node.type)
      ? { name: node.text.replaceAll('::', '.'), args: [] }
      : undefined
  },
  variables: {
    let_declaration(node) {
      const pattern = field(node, 'pattern')
      const name = pattern?.type === 'identifier' ? pattern.text : ''
      return [{ name, type: field(node, 'type'), init: field(node, 'value') }]
    },
    for_expression: node => [{ name: field(node, 'pattern')?.text ?? '', init: field(node, 'value'), isElement: true }],
    closure_parameters: node => childrenOf(node).map(each => ({ name: field(each, 'pattern')?.text ?? each.text })),
  },
  fields: { field_declaration: node => [{ name: field(node, 'name')?.text ?? '', type: field(node, 'type') }] },
  parameters(node) {
    const list = field(node, 'parameters')
    return (
      list &&
      childrenOf(list).flatMap((each): readonly Parameter[] =>
        each.type === 'parameter' ? [{ name: field(each, 'pattern')?.text ?? '', type: field(each, 'type') }] : [],
      )
    )
  },
  returns: node => ({ type: field(node, 'return_type') }),
  supertypes: () => [],
  scopes: new Set(['function_item', 'block', 'closure_expression', 'for_expression']),
  lambdas: new Set(['closure_expression']),
}

/** What one part of a `use` brings; `above` is the path that leads to it. */
function brought(node: Node, above: readonly string[], line: number): readonly OwnImport[] {
  const path = (inner: Node | undefined) => [...above, ...(inner?.text.split('::') ?? [])]
  const leaf = (parts: readonly string[], local?: string): OwnImport => {
    const [name = '', module] = [
      parts.at(-1),
      parts
        .slice(0, -1)
        .filter(each => !/^(crate|self)$/.test(each))
        .join('.'),
    ]
    return { module, name, local: local ?? name, line }
  }
  switch (node.type) {
    case 'scoped_use_list':
      return childrenOf(field(node, 'list') ?? node).flatMap(each => brought(each, path(field(node, 'path')), line))
    case 'use_list':
      return childrenOf(node).flatMap(each => brought(each, above, line))
    case 'use_as_clause':
      return [leaf(path(field(node, 'path')), field(node, 'alias')?.text)]
    case 'use_wildcard': {
      const parts = path(childrenOf(node)[0]).filter(each => each !== 'crate')
      return [{ module: parts.join('.'), name: '*', local: '', line }]
    }
    default:
      return [leaf(path(node))]
  }
}

function expression(node: Node): Expression | undefined {
  switch (node.type) {
    case 'identifier':
      return { is: 'name', name: node.text }
    case 'self':
      return { is: 'this' }
    case 'field_expression': {
      const [of, name] = [field(node, 'value'), field(node, 'field')]
      return of && name && { is: 'member', of, name: name.text }
    }
    case 'scoped_identifier': {
      const [of, name] = [field(node, 'path'), field(node, 'name')]
      if (!of || !name) return undefined
      return /^(crate|super)$/.test(of.text) ? { is: 'name', name: name.text } : { is: 'member', of, name: name.text }
    }
    case 'call_expression': {
      const callee = field(node, 'function')
      return callee && { is: 'call', callee, count: countOf(field(node, 'arguments')) }
    }
    case 'token_tree':
      return calledInMacro(node)
    case 'struct_expression': {
      const type = field(node, 'name')
      return type && { is: 'typed', type }
    }
    case 'reference_expression':
    case 'await_expression':
    case 'try_expression':
    case 'parenthesized_expression': {
      const as = field(node, 'value') ?? childrenOf(node)[0]
      return as && { is: 'same', as }
    }
    default:
      return undefined
  }
}

/** What is handed to a macro is no tree of expressions: a name before brackets is taken for a call. */
function calledInMacro(brackets: Node): Expression | undefined {
  const name = brackets.previousSibling
  if (name?.type !== 'identifier' || !brackets.text.startsWith('(')) return undefined
  const between = name.previousSibling
  const before = between && /^(\.|::)$/.test(between.text) ? between.previousSibling : undefined
  const of = before && /^(identifier|self)$/.test(before.type) ? before : undefined
  return { is: 'call', callee: { of, name: name.text }, count: -1 }
}
