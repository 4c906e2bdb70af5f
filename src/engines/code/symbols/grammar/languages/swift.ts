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
  type Variable,
} from '../syntax.ts'

const TYPES = [
  'user_type',
  'array_type',
  'optional_type',
  'dictionary_type',
  'opaque_type',
  'existential_type',
] as const
export const swift: Syntax = {
  imports: root =>
    root.descendantsOfType('import_declaration').flatMap((node): readonly OwnImport[] => {
      const module = node && childOf(node, 'identifier')?.text
      return node && module !== undefined ? [{ module, name: '*', local: '', line: node.startPosition.row + 1 }] : []
    }),
  expression,
  type,
  variables: {
    property_declaration: node => [variable(node)],
    for_statement: node => [
      { name: field(node, 'item')?.text ?? '', init: field(node, 'collection'), isElement: true },
    ],
    if_statement: bound,
    guard_statement: bound,
    while_statement: bound,
    lambda_literal(node) {
      const head = field(node, 'type')
      const list = head?.descendantsOfType('lambda_parameter') ?? []
      return list.flatMap(each =>
        each ? [{ name: field(each, 'name')?.text ?? '', type: childOf(each, ...TYPES) }] : [],
      )
    },
  },
  fields: {
    property_declaration: node =>
      /^(class_body|enum_class_body|protocol_body)$/.test(node.parent?.type ?? '') ? [variable(node)] : [],
  },
  parameters(node) {
    if (!/^(function_declaration|init_declaration|protocol_function_declaration)$/.test(node.type)) return undefined
    return parametersIn(node)
  },
  returns: node => ({ type: node.childrenForFieldName('name').findLast(each => each && isType(each)) ?? undefined }),
  supertypes: node =>
    childrenOf(node).flatMap(each =>
      each.type === 'inheritance_specifier' ? (field(each, 'inherits_from') ?? childrenOf(each)[0] ?? []) : [],
    ),
  isStatic: node => /\b(static|class)\b/.test(childOf(node, 'modifiers')?.text ?? ''),
  scopes: new Set([
    'function_declaration',
    'init_declaration',
    'lambda_literal',
    'for_statement',
    'if_statement',
    'guard_body',
    'function_body',
  ]),
  lambdas: new Set(['lambda_literal']),
  implicitParameter: '$0',
  lambdaScope(call) {
    const [callee, suffix] = childrenOf(call)
    const lambda =
      suffix && (childOf(suffix, 'lambda_literal') ?? suffix.descendantsOfType('lambda_literal')[0] ?? undefined)
    const of = callee?.type === 'navigation_expression' ? field(callee, 'target') : undefined
    return lambda && of ? { lambda, first: { value: of, isElement: true } } : undefined
  },
}

const isType = ({ type: kind }: Node): boolean => TYPES.some(each => each === kind)

function type(node: Node): TypeName | undefined {
  switch (node.type) {
    case 'user_type': {
      const names = childrenOf(node).filter(each => each.type === 'type_identifier')
      const args = childOf(node, 'type_arguments')
      return { name: names.map(({ text }) => text).join('.'), args: args ? childrenOf(args) : [] }
    }
    case 'type_identifier':
      return { name: node.text, args: [] }
    case 'optional_type': {
      const held = field(node, 'wrapped')
      return held && type(held)
    }
    case 'array_type': {
      const held = field(node, 'name') ?? childrenOf(node)[0]
      return held && { name: '[]', args: [held] }
    }
    case 'dictionary_type':
      return { name: '[:]', args: childrenOf(node).slice(-1) }
    case 'opaque_type':
    case 'existential_type':
    case 'type_annotation': {
      const inner = field(node, 'name') ?? childrenOf(node)[0]
      return inner && type(inner)
    }
    default:
      return undefined
  }
}

function variable(node: Node): Variable {
  const annotation = childOf(node, 'type_annotation')
  return { name: field(node, 'name')?.text ?? '', type: annotation, init: field(node, 'value') }
}

/** `if let name = value`, `guard let name = value` */
function bound(node: Node): readonly Variable[] {
  const name = field(node, 'bound_identifier')
  const init = node.childrenForFieldName('condition').findLast(each => each && each.type !== 'value_binding_pattern')
  return name ? [{ name: name.text, init: init ?? undefined }] : []
}

function parametersIn(node: Node): readonly Parameter[] {
  const found: Parameter[] = []
  for (const each of node.children) {
    if (!each) continue
    const last = found.at(-1)
    if (each.type === 'parameter') {
      const names = each.childrenForFieldName('name')
      found.push({ name: names[0]?.text ?? '', type: names.find(one => one && isType(one)) ?? undefined })
    } else if (last && each.type === '...') found[found.length - 1] = { ...last, isRest: true }
    else if (last && each.type === '=') found[found.length - 1] = { ...last, isOptional: true }
  }
  return found
}

const memberName = (node: Node): string => {
  const suffix = field(node, 'suffix')
  return (suffix && field(suffix, 'suffix')?.text) ?? ''
}

function expression(node: Node): Expression | undefined {
  switch (node.type) {
    case 'simple_identifier':
      return { is: 'name', name: node.text }
    case 'self_expression':
      return { is: 'this' }
    case 'super_expression':
      return { is: 'super' }
    case 'navigation_expression': {
      const of = field(node, 'target')
      return of && { is: 'member', of, name: memberName(node) }
    }
    case 'call_expression': {
      const [callee, suffix] = childrenOf(node)
      if (!callee || suffix?.type !== 'call_suffix') return undefined
      const lambdas = childrenOf(suffix).filter(({ type: kind }) => kind === 'lambda_literal').length
      return { is: 'call', callee, count: countOf(childOf(suffix, 'value_arguments')) + lambdas }
    }
    case 'as_expression': {
      const written = childrenOf(node).findLast(isType)
      return written && { is: 'typed', type: written }
    }
    case 'line_string_literal':
      return { is: 'literal', type: 'String' }
    case 'optional_chain_expression':
    case 'postfix_expression':
    case 'try_expression':
    case 'await_expression':
    case 'tuple_expression': {
      const as = field(node, 'target') ?? field(node, 'expr') ?? childrenOf(node).at(-1)
      return as && { is: 'same', as }
    }
    default: {
      // Some trees take `a + b.c()` for a call on the sum.
      const as = node.type.endsWith('_expression') ? (field(node, 'rhs') ?? field(node, 'if_nil')) : undefined
      return as && { is: 'same', as }
    }
  }
}
