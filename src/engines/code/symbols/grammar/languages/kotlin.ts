import type { Node } from 'web-tree-sitter'
import { kotlinSigns } from './kotlin-signs.ts'
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

const TYPES = ['user_type', 'nullable_type', 'function_type', 'parenthesized_type', 'non_nullable_type']

/** In the lambda of these the receiver is what members are looked for in. */
const WITHIN_RECEIVER = new Set(['apply', 'run', 'with'])
/** The lambda of these gets the receiver itself, all others one of its elements. */
const GIVES_RECEIVER = new Set(['let', 'also', 'takeIf', 'takeUnless'])

export const kotlin: Syntax = {
  package: root => childOf(root, 'package_header')?.namedChildren[0]?.text,
  facade: root =>
    childrenOf(root)
      .filter(({ type }) => type === 'file_annotation')
      .flatMap(({ text }) => /\bJvmName\s*\(\s*(?:name\s*=\s*)?"([^"]*)"/.exec(text)?.[1] ?? [])[0],
  imports: root =>
    childrenOf(root)
      .filter(({ type }) => type === 'import')
      .map(node => {
        const [path = '', alias] = childrenOf(node).map(each => each.text)
        const line = node.startPosition.row + 1
        if (/\.\s*\*\s*$/.test(node.text)) return { module: path, name: '*', local: '', line }
        const dot = path.lastIndexOf('.')
        const name = path.slice(dot + 1)
        return { module: path.slice(0, Math.max(dot, 0)), name, local: alias ?? name, line }
      }),
  expression,
  signs: kotlinSigns,
  type(node) {
    if (node.type === 'nullable_type' || node.type === 'parenthesized_type' || node.type === 'non_nullable_type')
      return kotlin.type(childOf(node, ...TYPES) ?? node.child(0) ?? node)
    // What is called when it is called is no method of ours.
    if (node.type === 'function_type') return { name: 'Function', args: [] }
    if (node.type !== 'user_type') return undefined
    const names = childrenOf(node).flatMap(each => (each.type === 'identifier' ? each.text : []))
    const args = childOf(node, 'type_arguments')
    return {
      name: names.join('.'),
      args: args ? childrenOf(args).flatMap(each => childOf(each, ...TYPES) ?? []) : [],
    }
  },
  variables: {
    property_declaration: node => (isMember(node) ? [] : properties(node)),
    for_statement(node) {
      const [variable, of] = childrenOf(node)
      return variable?.type === 'variable_declaration' ? [{ ...declared(variable), init: of, isElement: true }] : []
    },
    lambda_parameters: node =>
      childrenOf(node).flatMap(each => (each.type === 'variable_declaration' ? declared(each) : [])),
    catch_block: node => {
      const name = childOf(node, 'identifier')?.text
      return name === undefined ? [] : [{ name, type: childOf(node, ...TYPES) }]
    },
  },
  fields: {
    property_declaration: node => (isMember(node) ? properties(node) : []),
    enum_entry: node => [{ name: childOf(node, 'identifier')?.text ?? '', isOwn: true }],
  },
  parameters(node) {
    if (node.type === 'class_declaration') {
      const list = childOf(childOf(node, 'primary_constructor') ?? node, 'class_parameters')
      return list ? childrenOf(list).flatMap(each => (each.type === 'class_parameter' ? constructed(each) : [])) : []
    }
    const list = childOf(node, 'function_value_parameters')
    return list && parametersIn(list)
  },
  returns(node) {
    const all = childrenOf(node)
    const after = all.findIndex(({ type }) => type === 'function_value_parameters')
    const type = all.slice(after + 1).find(each => TYPES.includes(each.type))
    const [value] = childrenOf(childOf(node, 'function_body') ?? node)
    return { type, value: value?.type === 'block' ? undefined : value }
  },
  supertypes: node =>
    childrenOf(childOf(node, 'delegation_specifiers') ?? node).flatMap(each => {
      if (each.type !== 'delegation_specifier') return []
      return childOf(childOf(each, 'constructor_invocation') ?? each, 'user_type') ?? []
    }),
  anonymous: ({ type, parent }) =>
    type === 'class_body' && parent?.type === 'object_literal' ? kotlin.supertypes(parent) : undefined,
  receiver(node) {
    const all = childrenOf(node)
    const before = all.slice(
      0,
      all.findIndex(({ type }) => type === 'function_value_parameters'),
    )
    const type = before.find(each => TYPES.includes(each.type))
    const name = type && kotlin.type(type)?.name
    // The grammar takes the name of some extension functions for the last part of the type.
    return name !== undefined && isNameless(node) ? name.replace(/\.?[^.]*$/, '') : name?.replace(/^.*\./, '')
  },
  isStatic: () => false,
  overriding(node) {
    const said = childOf(node, 'modifiers')?.text ?? ''
    return { isPrivate: /\bprivate\b/.test(said), isOverride: /\boverride\b/.test(said) }
  },
  scopes: new Set(['function_declaration', 'block', 'lambda_literal', 'for_statement', 'catch_block', 'class_body']),
  lambdas: new Set(['lambda_literal']),
  implicitParameter: 'it',
  lambdaScope(call) {
    const lambda = childOf(childOf(call, 'annotated_lambda') ?? call, 'lambda_literal')
    const [callee] = childrenOf(call)
    if (!lambda || !callee) return undefined
    if (callee.type === 'call_expression') {
      const [function_] = childrenOf(callee)
      const of = childOf(childOf(callee, 'value_arguments') ?? callee, 'value_argument')?.namedChildren[0]
      return function_?.text === 'with' && of ? { lambda, implicit: of } : undefined
    }
    if (callee.type !== 'navigation_expression') return undefined
    const [of, name] = childrenOf(callee)
    if (!of || !name) return undefined
    if (WITHIN_RECEIVER.has(name.text)) return { lambda, implicit: of }
    return { lambda, first: { value: of, isElement: !GIVES_RECEIVER.has(name.text) } }
  },
}

/** `fun String.shout()` as some trees have it: all of `String.shout` a type, and the name missing. */
const isNameless = (node: Node): boolean => field(node, 'name')?.text === ''

const isMember = (node: Node): boolean => /^(class_body|enum_class_body|source_file)$/.test(node.parent?.type ?? '')

/** `a::b`, and not `A::class`. */
const isReference = ({ children }: Node): boolean => children[1]?.type === '::' && children[2]?.type === 'identifier'

const EXPRESSIONS = /_(expression|literal|reference)$/

function expression(node: Node): Expression | undefined {
  if (node.type === 'identifier') return { is: 'name', name: node.text }
  if (!EXPRESSIONS.test(node.type)) return undefined
  const [first, second] = childrenOf(node)
  switch (node.type) {
    case 'navigation_expression':
      if (!first || !second) return undefined
      return isReference(node)
        ? { is: 'call', callee: { of: first, name: second.text }, count: -1 }
        : { is: 'member', of: first, name: second.text }
    case 'call_expression':
      return first && called(node, first)
    case 'infix_expression':
      return first && second ? { is: 'call', callee: { of: first, name: second.text }, count: 1 } : undefined
    case 'callable_reference': {
      const name = childrenOf(node).at(-1)
      const of = childrenOf(node).length > 1 ? first : undefined
      return name && { is: 'call', callee: { of, name: name.text }, count: -1 }
    }
    case 'this_expression':
      return { is: 'this' }
    case 'super_expression':
      return { is: 'super' }
    case 'parenthesized_expression':
      return first && { is: 'same', as: first }
    case 'unary_expression': {
      const of = field(node, 'argument')
      return of && { is: 'same', as: of }
    }
    case 'as_expression': {
      const type = field(node, 'right')
      return type && { is: 'typed', type }
    }
    case 'binary_expression': {
      const left = field(node, 'left')
      return left && field(node, 'operator')?.text === '?:' ? { is: 'same', as: left } : undefined
    }
    case 'index_expression':
      return first && { is: 'element', of: first }
    case 'object_literal': {
      const [type] = kotlin.supertypes(node)
      return type && { is: 'typed', type }
    }
    case 'string_literal':
      return { is: 'literal', type: 'String' }
    case 'number_literal':
      return { is: 'literal', type: /[.eEfF]/.test(node.text) ? 'Double' : 'Int' }
    default:
      return undefined
  }
}

/** A lambda behind the arguments is one of them, though the tree has it as a call of the call's result. */
function called(node: Node, callee: Node): Expression {
  const args = childOf(node, 'value_arguments')
  const hasLambda = childOf(node, 'annotated_lambda') !== undefined
  const inner = callee.type === 'call_expression' && !args && hasLambda ? expression(callee) : undefined
  if (inner?.is === 'call') return { ...inner, count: inner.count + 1 }
  return { is: 'call', callee, count: countOf(args) + (hasLambda ? 1 : 0) }
}

function properties(node: Node): readonly Variable[] {
  const delegate = childOf(node, 'property_delegate')
  const variable = childOf(node, 'variable_declaration')
  if (!variable) {
    const several = childOf(node, 'multi_variable_declaration')
    return several ? childrenOf(several).map(each => declared(each)) : []
  }
  const after = childrenOf(node).slice(childrenOf(node).findIndex(({ id }) => id === variable.id) + 1)
  const init = after.find(({ type }) => !/^(property_delegate|getter|setter|type_constraints|.*comment)$/.test(type))
  const getter = childOf(childOf(node, 'getter') ?? node, 'function_body')?.namedChildren[0]
  return [{ ...declared(variable), init: init ?? lazily(delegate) ?? getter ?? undefined }]
}

/** What `by lazy { … }` gives is what its lambda ends with. */
function lazily(delegate: Node | undefined): Node | undefined {
  const call = delegate && childOf(delegate, 'call_expression')
  if (!call || call.namedChildren[0]?.text !== 'lazy') return undefined
  return childrenOf(childOf(childOf(call, 'annotated_lambda') ?? call, 'lambda_literal') ?? call).at(-1)
}

const declared = (node: Node): Variable => ({
  name: childOf(node, 'identifier')?.text ?? '',
  type: childOf(node, ...TYPES),
})

function parametersIn(list: Node): readonly Parameter[] {
  const all: Parameter[] = []
  let isRest = false
  for (const each of childrenOf(list)) {
    if (each.type === 'parameter_modifiers') isRest = /\bvararg\b/.test(each.text)
    else if (each.type === 'parameter') {
      all.push({ ...declared(each), isRest })
      isRest = false
    } else if (!/comment/.test(each.type)) {
      // A default stands beside its parameter, not in it.
      const last = all.pop()
      if (last) all.push({ ...last, isOptional: true })
    }
  }
  return all
}

const constructed = (node: Node): Parameter => ({
  ...declared(node),
  isOptional: /=/.test(node.text.replace(/^[^:]*:/, '')),
  isRest: /^(\w+\s+)*vararg\b/.test(node.text),
  isProperty: /^(@\S+\s+|\w+\s+)*(val|var)\b/.test(node.text),
})
