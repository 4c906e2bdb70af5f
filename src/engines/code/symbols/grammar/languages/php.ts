import type { Node } from 'web-tree-sitter'
import type { OwnImport } from '../../file-code.ts'
import {
  childOf,
  childrenOf,
  countOf,
  field,
  type Expression,
  type Parameter,
  type Syntax,
  type TypeName,
} from '../syntax.ts'

export const php: Syntax = {
  package: root => {
    const name = field(root.descendantsOfType('namespace_definition')[0] ?? root, 'name')
    return name && dots(name.text)
  },
  imports: root => root.descendantsOfType('namespace_use_declaration').flatMap(node => (node ? importsIn(node) : [])),
  expression,
  type,
  variables: {
    assignment_expression(node) {
      const left = field(node, 'left')
      return left?.type === 'variable_name' ? [{ name: left.text, init: field(node, 'right') }] : []
    },
    foreach_statement(node) {
      const [init, ...targets] = childrenOf(node).filter(({ id }) => id !== field(node, 'body')?.id)
      const last = targets.at(-1)
      const name = last?.type === 'pair' ? childrenOf(last).at(-1) : last
      return name?.type === 'variable_name' ? [{ name: name.text, init, isElement: true }] : []
    },
    catch_clause: node => [{ name: field(node, 'name')?.text ?? '', type: field(node, 'type') }],
    formal_parameters: node => parametersIn(node).map(({ name, type: written }) => ({ name, type: written })),
  },
  fields: {
    property_declaration: node =>
      childrenOf(node).flatMap(each =>
        each.type === 'property_element'
          ? [{ name: bare(field(each, 'name')), type: field(node, 'type'), init: field(each, 'default_value') }]
          : [],
      ),
    property_promotion_parameter: node => [
      { name: bare(field(node, 'name')), type: field(node, 'type'), isOfClass: true },
    ],
    assignment_expression(node) {
      const left = field(node, 'left')
      if (left?.type !== 'member_access_expression' || field(left, 'object')?.text !== '$this') return []
      return [{ name: field(left, 'name')?.text ?? '', init: field(node, 'right'), isOfClass: true }]
    },
  },
  parameters(node) {
    const list = field(node, 'parameters')
    return list && parametersIn(list)
  },
  returns: node => ({ type: field(node, 'return_type') }),
  supertypes(node) {
    const used = childrenOf(field(node, 'body') ?? node).filter(({ type: kind }) => kind === 'use_declaration')
    const lists = [childOf(node, 'base_clause'), childOf(node, 'class_interface_clause'), ...used]
    return lists.flatMap(list =>
      list ? childrenOf(list).filter(({ type: kind }) => /^(qualified_)?name$/.test(kind)) : [],
    )
  },
  isStatic: node => childOf(node, 'static_modifier') !== undefined,
  scopes: new Set(['function_definition', 'method_declaration', 'anonymous_function', 'arrow_function']),
  lambdas: new Set(['anonymous_function', 'arrow_function']),
}

const dots = (name: string): string => name.replace(/^\\/, '').replaceAll('\\', '.')

const bare = (node: Node | undefined): string => node?.text.replace(/^\$/, '') ?? ''

function type(node: Node): TypeName | undefined {
  if (/^(named_type|optional_type|type_list)$/.test(node.type)) return type(childrenOf(node)[0] ?? node)
  if (/^(union_type|intersection_type)$/.test(node.type)) {
    const first = childrenOf(node).find(({ text }) => text !== 'null')
    return first && type(first)
  }
  if (!/^(qualified_name|name|relative_scope)$/.test(node.type)) return undefined
  const own = /^(self|static)$/.test(node.text) ? classAround(node) : undefined
  return { name: own ?? dots(node.text), args: [] }
}

function classAround(node: Node): string | undefined {
  for (let at = node.parent; at; at = at.parent)
    if (/^(class|trait|interface|enum)_declaration$/.test(at.type)) return field(at, 'name')?.text
  return undefined
}

function importsIn(node: Node): readonly OwnImport[] {
  const group = field(node, 'body')
  const above = group ? (childOf(node, 'namespace_name', 'qualified_name')?.text ?? '') : ''
  const clauses = childrenOf(group ?? node).filter(({ type: kind }) => kind === 'namespace_use_clause')
  return clauses.flatMap(clause => {
    const alias = field(clause, 'alias')?.text
    const [written] = childrenOf(clause)
    const whole = dots(`${above === '' ? '' : `${above}\\`}${written?.text ?? ''}`)
    const dot = whole.lastIndexOf('.')
    const name = whole.slice(dot + 1)
    return [
      { module: whole.slice(0, Math.max(dot, 0)), name, local: alias ?? name, line: clause.startPosition.row + 1 },
    ]
  })
}

function parametersIn(list: Node): readonly Parameter[] {
  return childrenOf(list).flatMap((each): readonly Parameter[] => {
    if (!each.type.endsWith('parameter')) return []
    return [
      {
        name: field(each, 'name')?.text ?? '',
        type: field(each, 'type'),
        isOptional: field(each, 'default_value') !== undefined,
        isRest: each.type === 'variadic_parameter',
      },
    ]
  })
}

function expression(node: Node): Expression | undefined {
  switch (node.type) {
    case 'variable_name':
      return node.text === '$this' ? { is: 'this' } : { is: 'name', name: node.text }
    case 'name':
    case 'qualified_name': {
      const dot = dots(node.text)
      return dot.includes('.') ? { is: 'typed', type: node } : { is: 'name', name: dot }
    }
    case 'relative_scope':
      return node.text === 'parent' ? { is: 'super' } : { is: 'name', name: classAround(node) ?? '' }
    case 'member_access_expression':
    case 'nullsafe_member_access_expression': {
      const [of, name] = [field(node, 'object'), field(node, 'name')]
      return of && name && { is: 'member', of, name: name.text }
    }
    case 'scoped_property_access_expression': {
      const [of, name] = [field(node, 'scope'), field(node, 'name')]
      return of && name && { is: 'member', of, name: bare(name) }
    }
    case 'function_call_expression': {
      const callee = field(node, 'function')
      if (!callee) return undefined
      const count = argumentsOf(node)
      return callee.type === 'qualified_name'
        ? { is: 'call', callee: { of: undefined, name: lastOf(callee) }, count }
        : { is: 'call', callee, count }
    }
    case 'member_call_expression':
    case 'nullsafe_member_call_expression':
      return method(node, field(node, 'object'))
    case 'scoped_call_expression':
      return method(node, field(node, 'scope'))
    case 'object_creation_expression': {
      const [made] = childrenOf(node)
      return made && /^(qualified_)?name$/.test(made.type)
        ? { is: 'new', type: made, count: argumentsOf(node) }
        : undefined
    }
    case 'parenthesized_expression': {
      const [as] = childrenOf(node)
      return as && { is: 'same', as }
    }
    case 'assignment_expression': {
      const as = field(node, 'right')
      return as && { is: 'same', as }
    }
    case 'subscript_expression': {
      const [of] = childrenOf(node)
      return of && { is: 'element', of }
    }
    default:
      return undefined
  }
}

const lastOf = (node: Node): string => dots(node.text).replace(/^.*\./, '')

function method(node: Node, of: Node | undefined): Expression | undefined {
  const name = field(node, 'name')
  return of && name?.type === 'name'
    ? { is: 'call', callee: { of, name: name.text }, count: argumentsOf(node) }
    : undefined
}

/** Spread arguments may be any number. */
function argumentsOf(node: Node): number {
  const list = field(node, 'arguments') ?? childOf(node, 'arguments')
  return list && /(^|[(,]\s*)\.\.\./.test(list.text) ? -1 : countOf(list)
}
