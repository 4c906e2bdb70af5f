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
  type Variable,
} from '../syntax.ts'

const NAME = /^(identifier|field_identifier|namespace_identifier|type_identifier)$/
const HOLDERS = /(^|\.)(unique_ptr|shared_ptr|weak_ptr|optional|reference_wrapper)$/

export const cpp: Syntax = {
  imports: root =>
    root.descendantsOfType('preproc_include').flatMap((node): readonly OwnImport[] => {
      const module = node && field(node, 'path')?.text.slice(1, -1)
      return node && module !== undefined ? [{ module, name: '*', local: '', line: node.startPosition.row + 1 }] : []
    }),
  expression,
  type(node) {
    if (node.type === 'type_descriptor') return cpp.type(field(node, 'type') ?? node)
    if (/^(struct|union|class|enum)_specifier$/.test(node.type)) {
      const name = field(node, 'name')
      return name && cpp.type(name)
    }
    const parts = templated(node)
    if (parts) {
      const [name, args] = parts
      const [first] = args
      // What these hold is what is called.
      return HOLDERS.test(name) && first ? cpp.type(first) : { name, args }
    }
    return /^(type_identifier|qualified_identifier|namespace_identifier|identifier)$/.test(node.type)
      ? { name: dots(node.text), args: [] }
      : undefined
  },
  variables: {
    declaration: node => declarators(node),
    lambda_expression(node) {
      const head = field(node, 'declarator')
      const list = head && field(head, 'parameters')
      return list ? parametersIn(list) : []
    },
    for_range_loop: node => [{ ...named(node), init: field(node, 'right'), isElement: true }],
  },
  fields: { field_declaration: node => (functionOf(node) ? [] : declarators(node)) },
  parameters(node) {
    if (node.type === 'preproc_function_def') {
      const list = field(node, 'parameters')
      return list && childrenOf(list).map(each => ({ name: each.text, isRest: each.text === '...' }))
    }
    const list = field(functionOf(node) ?? node, 'parameters')
    return list?.type === 'parameter_list' ? parametersIn(list) : undefined
  },
  returns: node => ({ type: written(node) }),
  supertypes: node => {
    const list = childOf(node, 'base_class_clause')
    return list
      ? childrenOf(list).filter(({ type }) => /^(type_identifier|qualified_identifier|template_type)$/.test(type))
      : []
  },
  scopes: new Set([
    'function_definition',
    'compound_statement',
    'for_statement',
    'for_range_loop',
    'lambda_expression',
  ]),
  lambdas: new Set(['lambda_expression']),
}

/** In C a list without anything says nothing about what is taken. */
export const c: Syntax = {
  ...cpp,
  parameters(node) {
    const found = cpp.parameters(node)
    const list = field(functionOf(node) ?? node, 'parameters')
    return found?.length === 0 && list && childrenOf(list).length === 0 && node.type !== 'preproc_function_def'
      ? [{ name: '', isRest: true }]
      : found
  },
}

const dots = (name: string): string =>
  name
    .replaceAll(/\s*::\s*/g, '.')
    .replace(/^\./, '')
    .replaceAll(/<[^]*>/g, '')

/** `a::b<c>` as `a.b` and what stands between the brackets. */
function templated(node: Node): readonly [string, readonly Node[]] | undefined {
  const inner = node.type === 'qualified_identifier' ? field(node, 'name') : node
  if (!inner) return undefined
  if (inner.type === 'qualified_identifier') return templated(inner)
  if (inner.type !== 'template_type') return undefined
  const args = field(inner, 'arguments')
  return [dots(node.text), args ? childrenOf(args) : []]
}

const written = (node: Node): Node | undefined => {
  const type = field(node, 'type')
  return type?.type === 'placeholder_type_specifier' || type?.type === 'auto' ? undefined : type
}

/** The part of a declaration that says what a function takes; none for a pointer to one. */
function functionOf(node: Node): Node | undefined {
  for (let at = field(node, 'declarator'); at; at = field(at, 'declarator') ?? childOf(at, 'function_declarator')) {
    if (at.type !== 'function_declarator') continue
    return field(at, 'declarator')?.type === 'parenthesized_declarator' ? undefined : at
  }
  return undefined
}

function nameIn(node: Node | undefined): string {
  for (let at = node; at; at = field(at, 'declarator') ?? childrenOf(at)[0]) if (NAME.test(at.type)) return at.text
  return ''
}

const named = (node: Node): Variable => ({ name: nameIn(field(node, 'declarator')), type: written(node) })

function declarators(node: Node): readonly Variable[] {
  return node.childrenForFieldName('declarator').flatMap(each => {
    if (!each) return []
    const value = field(each, 'value')
    const init = value?.type === 'argument_list' || value?.type === 'initializer_list' ? undefined : value
    return [{ name: nameIn(each), type: written(node), init }]
  })
}

function parametersIn(list: Node): readonly Parameter[] {
  return childrenOf(list).flatMap((each): readonly Parameter[] => {
    if (each.type === 'variadic_parameter' || each.type === 'variadic_parameter_declaration')
      return [{ name: '', isRest: true }]
    if (!each.type.endsWith('parameter_declaration')) return []
    // `f(void)` takes nothing.
    if (field(each, 'declarator') === undefined && each.text.trim() === 'void') return []
    return [{ ...named(each), isOptional: each.type === 'optional_parameter_declaration' }]
  })
}

function expression(node: Node): Expression | undefined {
  if (NAME.test(node.type)) return { is: 'name', name: node.text }
  switch (node.type) {
    case 'this':
      return { is: 'this' }
    case 'field_expression': {
      const [of, name] = [field(node, 'argument'), field(node, 'field')]
      return of && name && { is: 'member', of, name: dots(name.text) }
    }
    case 'qualified_identifier': {
      const [of, name] = [field(node, 'scope'), field(node, 'name')]
      if (!name) return undefined
      return of ? { is: 'member', of, name: dots(name.text) } : { is: 'same', as: name }
    }
    case 'call_expression':
      return called(node)
    case 'new_expression': {
      const type = field(node, 'type')
      return type && { is: 'new', type, count: countOf(field(node, 'arguments')) }
    }
    case 'compound_literal_expression': {
      const type = field(node, 'type')
      return type && { is: 'new', type: field(type, 'type') ?? type, count: countOf(field(node, 'value')) }
    }
    case 'template_function':
    case 'template_method': {
      const as = field(node, 'name')
      return as && { is: 'same', as }
    }
    case 'parenthesized_expression':
    case 'pointer_expression': {
      const as = field(node, 'argument') ?? childrenOf(node)[0]
      return as && { is: 'same', as }
    }
    case 'cast_expression': {
      const type = field(node, 'type')
      return type && { is: 'typed', type }
    }
    case 'subscript_expression': {
      const of = field(node, 'argument')
      return of && { is: 'element', of }
    }
    default:
      return undefined
  }
}

function called(node: Node): Expression | undefined {
  const callee = field(node, 'function')
  if (!callee) return undefined
  const count = countOf(field(node, 'arguments'))
  const args = callee.type === 'template_function' ? field(callee, 'arguments') : undefined
  const name = args ? dots(field(callee, 'name')?.text ?? '') : ''
  const [first] = args ? childrenOf(args) : []
  if (first && /(^|\.)\w+_cast$/.test(name)) return { is: 'typed', type: first }
  if (first && /(^|\.)make_(unique|shared)$/.test(name)) return { is: 'new', type: first, count }
  return { is: 'call', callee, count }
}
