import type { Node } from 'web-tree-sitter'
import type { OwnImport } from '../../file-code.ts'
import { childrenOf, countOf, field, type Expression, type Parameter, type Syntax } from '../syntax.ts'

export const ruby: Syntax = {
  imports: root =>
    root.descendantsOfType('call').flatMap((node): readonly OwnImport[] => {
      if (!node || !/^require(_relative)?$/.test(field(node, 'method')?.text ?? '')) return []
      const module = node.descendantsOfType('string_content')[0]?.text
      return module === undefined ? [] : [{ module, name: '*', local: '', line: node.startPosition.row + 1 }]
    }),
  expression,
  type: node =>
    /^(constant|scope_resolution)$/.test(node.type)
      ? { name: node.text.replace(/^::/, '').replaceAll('::', '.'), args: [] }
      : undefined,
  variables: {
    assignment(node) {
      const left = field(node, 'left')
      return left?.type === 'identifier' ? [{ name: left.text, init: field(node, 'right') }] : []
    },
    block_parameters: node => childrenOf(node).map(each => ({ name: nameOf(each) })),
  },
  fields: {
    assignment(node) {
      const left = field(node, 'left')
      return left?.type === 'instance_variable'
        ? [{ name: left.text, init: field(node, 'right'), isOfClass: true }]
        : []
    },
  },
  parameters(node) {
    if (!node.type.endsWith('method')) return undefined
    const list = field(node, 'parameters')
    return list ? childrenOf(list).map(parameter) : []
  },
  returns(node) {
    const body = field(node, 'body')
    return { value: body && childrenOf(body).at(-1) }
  },
  supertypes(node) {
    const above = field(node, 'superclass')
    const body = field(node, 'body')
    const included = body
      ? childrenOf(body).filter(each => /^(include|extend|prepend)$/.test(field(each, 'method')?.text ?? ''))
      : []
    return [
      ...(above ? childrenOf(above) : []),
      ...included.flatMap(each => childrenOf(field(each, 'arguments') ?? each)),
    ].filter(({ type }) => /^(constant|scope_resolution)$/.test(type))
  },
  isStatic: node => node.type === 'singleton_method',
  scopes: new Set(['method', 'singleton_method', 'block', 'do_block', 'lambda']),
  lambdas: new Set(['block', 'do_block']),
  lambdaScope(call) {
    const [lambda, of] = [field(call, 'block'), field(call, 'receiver')]
    return lambda && of ? { lambda, first: { value: of, isElement: true } } : undefined
  },
}

const nameOf = (node: Node): string => field(node, 'name')?.text ?? node.text

const parameter = (node: Node): Parameter => ({
  name: nameOf(node),
  // What is named may be left out as far as the number of arguments goes.
  isOptional: /^(optional_parameter|block_parameter|keyword_parameter)$/.test(node.type),
  isRest: /splat/.test(node.type),
})

/** Words at which a name is written and nothing is called. */
const DECLARES = /(^|_)(method|parameter|parameters|alias|undef|lhs)$|^(left_assignment_list|exception_variable)$/

function expression(node: Node): Expression | undefined {
  switch (node.type) {
    case 'identifier':
      return isPlace(node) ? undefined : { is: 'call', callee: { of: undefined, name: node.text }, count: 0 }
    case 'constant':
    case 'instance_variable':
    case 'class_variable':
      return { is: 'name', name: node.text }
    case 'self':
      return { is: 'this' }
    case 'super':
      return { is: 'super' }
    case 'scope_resolution': {
      const [of, name] = [field(node, 'scope'), field(node, 'name')]
      return name && (of ? { is: 'member', of, name: name.text } : { is: 'name', name: name.text })
    }
    case 'call':
      return called(node)
    case 'parenthesized_statements': {
      const as = childrenOf(node).at(-1)
      return as && { is: 'same', as }
    }
    case 'element_reference': {
      const of = field(node, 'object')
      return of && { is: 'element', of }
    }
    case 'string':
      return { is: 'literal', type: 'String' }
    default:
      return undefined
  }
}

function called(node: Node): Expression | undefined {
  const [of, name, list] = [field(node, 'receiver'), field(node, 'method'), field(node, 'arguments')]
  if (!name) return undefined
  const count = list && /[(,\s][*&]/.test(` ${list.text}`) ? -1 : countOf(list)
  if (name.type === 'super') return { is: 'super' }
  if (name.text !== 'new') return { is: 'call', callee: { of, name: name.text }, count }
  if (of && /^(constant|scope_resolution)$/.test(of.type)) return { is: 'new', type: of, count }
  const own = of ? undefined : classAround(node)
  return own && { is: 'new', type: own, count }
}

function classAround(node: Node): Node | undefined {
  for (let at = node.parent; at; at = at.parent) if (at.type === 'class') return field(at, 'name')
  return undefined
}

/** The name of a method in its call, of a parameter, or of what is assigned. */
function isPlace({ parent, id }: Node): boolean {
  if (!parent) return false
  if (parent.type === 'call') return field(parent, 'method')?.id === id
  return DECLARES.test(parent.type) || (parent.type === 'assignment' && field(parent, 'left')?.id === id)
}
