import type { Node } from 'web-tree-sitter'
import {
  childOf,
  childrenOf,
  countOf,
  declares,
  descendants,
  field,
  functionIn,
  modifiers,
  splitPath,
  textOf,
} from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import { JVM_LOOKUPS, KOTLIN_FUNCTIONS, isComputed, lookedUpTexts } from '../grammar/lookup-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { Expression, GrammarLanguage, Named, Parameter, Variable } from '../grammar/grammar-language.ts'
import { endedMembers } from './members.ts'
import { kotlinOperators } from './operators.ts'
import { nameAccess, accessor, variableIn, isReference, properties, typeInside, TYPES } from './properties.ts'

const BODIES = new Set(['class_body', 'enum_class_body'])

const typeOf = types.reader({
  nullable_type: typeInside,
  parenthesized_type: typeInside,
  non_nullable_type: typeInside,
  // Calling a function value calls no method of ours.
  function_type: () => ({ name: 'Function', args: [] }),
  user_type(node) {
    const names = childrenOf(node).flatMap(each => (each.type === 'identifier' ? each.text : []))
    const args = childrenOf(childOf(node, 'type_arguments')).flatMap(each => typeInside(each) ?? [])
    return { name: names.join('.'), args }
  },
})

/** In the lambda of these, bare members are looked up on the receiver. */
const WITHIN_RECEIVER = new Set(['apply', 'run', 'with'])
/** The lambda of these gets the receiver itself, all others one of its elements. */
const GIVES_RECEIVER = new Set(['let', 'also', 'takeIf', 'takeUnless'])

/** Without a modifier a symbol is public; an internal one is visible in its module. */
const isOpen = (node: Node): boolean => !/\bprivate\b/.test(modifiers(node))

export const kotlin: GrammarLanguage = {
  grammar: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  easier: endedMembers,
  declarations: {
    class_declaration: node => declares(classKind(node), isOpen)(node),
    object_declaration: declares('class', isOpen),
    companion_object: node => ({
      kind: 'class',
      name: field(node, 'name')?.text ?? 'Companion',
      isPublic: isOpen(node),
    }),
    function_declaration: node => functionIn(BODIES, isOpen)(node) ?? extension(node),
    property_declaration(node) {
      const name = childOf(descendants(node, 'variable_declaration')[0], 'identifier')?.text
      const isTop = node.parent?.type === 'source_file'
      const kind = !accessor(node) ? 'variable' : isTop ? 'function' : 'method'
      const isDeclared = name !== undefined && (isTop || (kind === 'method' && isMember(node)))
      return isDeclared ? { kind, name, isPublic: isOpen(node) } : undefined
    },
    type_alias(node) {
      const name = textOf(node, 'type')
      return name === '' ? undefined : { kind: 'type', name, isPublic: isOpen(node) }
    },
  },
  tests: { annotation: node => /^@(\w+\.)*(Test|ParameterizedTest|RepeatedTest|TestFactory)\b/.test(node.text) },
  package: root => childOf(root, 'package_header')?.namedChildren[0]?.text,
  imports: {
    import(node) {
      const [path = '', alias] = childrenOf(node).map(each => each.text)
      return /\.\s*\*\s*$/.test(node.text) ? { module: path } : splitPath(path, alias)
    },
  },
  fields: {
    property_declaration: node => (isMember(node) ? properties(node) : []),
    enum_entry: node => [{ name: childOf(node, 'identifier')?.text ?? '', isOwn: true }],
  },
  parameters(node) {
    if (node.type === 'class_declaration') {
      const list = childOf(childOf(node, 'primary_constructor') ?? node, 'class_parameters')
      return childrenOf(list).flatMap(each => (each.type === 'class_parameter' ? constructorParameter(each) : []))
    }
    const list = childOf(node, 'function_value_parameters')
    return list && parametersIn(list)
  },
  arguments(call) {
    if (call.type === 'infix_expression')
      return childrenOf(call)
        .slice(2)
        .map(node => ({ node }))
    // The arguments of a call with a trailing lambda are in the call inside of it.
    const list = childOf(call, 'value_arguments') ?? childOf(childOf(call, 'call_expression'), 'value_arguments')
    return childrenOf(list).flatMap(each => {
      const node = childrenOf(each).at(-1)
      const isNamed = each.children.some(child => child?.type === '=')
      return node ? { node, label: isNamed ? each.namedChildren[0]?.text : undefined } : []
    })
  },
  returns(node) {
    if (node.type === 'property_declaration') return {}
    const all = childrenOf(node)
    const after = all.findIndex(({ type }) => type === 'function_value_parameters')
    const type = all.slice(after + 1).find(each => TYPES.includes(each.type))
    const [value] = childrenOf(childOf(node, 'function_body') ?? node)
    return { type, value: value?.type === 'block' ? undefined : value }
  },
  supertypes,
  anonymous: { class_body: ({ parent }) => (parent?.type === 'object_literal' ? supertypes(parent) : undefined) },
  receiver(node) {
    const all = childrenOf(node)
    const first = all.findIndex(({ type }) => /^(function_value_parameters|variable_declaration)$/.test(type))
    const before = all.slice(0, first)
    const type = before.find(each => TYPES.includes(each.type))
    const name = type && typeOf(type)?.name
    // The grammar takes the name of some extension functions for the last part of the type.
    return name !== undefined && isNameless(node) ? name.replace(/\.?[^.]*$/, '') : name?.replace(/^.*\./, '')
  },
  accessor,
  overriding(node) {
    const modifierText = childOf(node, 'modifiers')?.text ?? ''
    return { isPrivate: /\bprivate\b/.test(modifierText), isOverride: /\boverride\b/.test(modifierText) }
  },
  scopes: new Set([
    'function_declaration',
    'block',
    'lambda_literal',
    'for_statement',
    'when_expression',
    'catch_block',
    'class_body',
  ]),
  variables: {
    property_declaration: node => (isMember(node) ? [] : properties(node)),
    for_statement(node) {
      const [variable, of] = childrenOf(node)
      return variable?.type === 'variable_declaration' ? [{ ...variableIn(variable), init: of, isElement: true }] : []
    },
    multi_variable_declaration: node =>
      node.parent?.type === 'property_declaration' ? [] : childrenOf(node).map(variableIn),
    when_subject: node => (childOf(node, 'variable_declaration') ? properties(node) : []),
    lambda_parameters: node =>
      childrenOf(node).flatMap(each => (each.type === 'variable_declaration' ? variableIn(each) : [])),
    catch_block: node => {
      const name = childOf(node, 'identifier')?.text
      return name === undefined ? [] : [{ name, type: childOf(node, ...TYPES) }]
    },
  },
  implicitParameter: 'it',
  lambdaScope(call) {
    const lambda = childOf(childOf(call, 'annotated_lambda') ?? call, 'lambda_literal')
    const [callee] = childrenOf(call)
    if (!lambda || !callee) return undefined
    if (callee.type === 'call_expression') {
      const [function_] = childrenOf(callee)
      const of = childOf(childOf(callee, 'value_arguments') ?? callee, 'value_argument')?.namedChildren[0]
      if (function_?.text === 'with' && of) return { lambda, implicit: of }
      return function_ && { lambda, receivedBy: function_ }
    }
    if (callee.type !== 'navigation_expression') return { lambda, receivedBy: callee }
    const [of, name] = childrenOf(callee)
    if (!of || !name) return undefined
    if (WITHIN_RECEIVER.has(name.text)) return { lambda, implicit: of }
    return { lambda, receivedBy: callee, first: { value: of, isElement: !GIVES_RECEIVER.has(name.text) } }
  },
  calls: {
    navigation_expression(node) {
      const [of, name] = childrenOf(node)
      return of && name && { is: 'member', of, name: name.text }
    },
    call_expression: callExpression,
    infix_expression(node) {
      const [of, name] = childrenOf(node)
      return of && name ? { is: 'call', callee: { of, name: name.text }, count: 1 } : undefined
    },
    callable_reference(node) {
      const parts = childrenOf(node)
      const name = parts.at(-1)
      const of = parts.length > 1 ? parts[0] : undefined
      return name && (of ? { is: 'member', of, name: name.text } : { is: 'name', name: name.text })
    },
  },
  expressions: {
    identifier: node => (/^(true|false)$/.test(node.text) ? { is: 'literal', type: 'Boolean' } : expression.name(node)),
    this_expression: expression.self,
    super_expression: expression.base,
    parenthesized_expression: expression.same(),
    unary_expression: expression.same('argument'),
    as_expression: expression.withType('right'),
    // Both sides, because the type of the whole is none of the two.
    binary_expression: node =>
      textOf(node, 'operator') === '?:' ? { is: 'either', of: childrenOf(node).slice(0, 2) } : undefined,
    index_expression: expression.element(),
    object_literal(node) {
      const [type] = supertypes(node)
      return type && { is: 'typed', type }
    },
    string_literal: expression.literal('String'),
    multiline_string_literal: expression.literal('String'),
    character_literal: expression.literal('Char'),
    number_literal: expression.number('Int', 'Double', { l: 'Long', f: 'Float', u: 'UInt', ul: 'ULong' }),
  },
  operators: kotlinOperators,
  accesses: { navigation_expression: nameAccess, identifier: nameAccess },
  uses: {
    navigation_expression: node => (isReference(node) ? [node] : []),
    callable_reference: node => [node],
  },
  namedTexts: lookedUpTexts(isLookup, 'string_literal'),
  lookups: {
    navigation_expression: node => KOTLIN_FUNCTIONS.test(childrenOf(node).at(-1)?.text ?? ''),
    call_expression: node => isLookup(node) && childrenOf(childOf(node, 'value_arguments')).every(isComputed),
  },
  type: typeOf,
}

function isLookup(call: Node): boolean {
  return JVM_LOOKUPS.test(childrenOf(childrenOf(call)[0]).at(-1)?.text ?? '')
}

function supertypes(node: Node): readonly Node[] {
  return childrenOf(childOf(node, 'delegation_specifiers') ?? node).flatMap(each =>
    each.type === 'delegation_specifier'
      ? (childOf(childOf(each, 'constructor_invocation') ?? each, 'user_type') ?? [])
      : [],
  )
}

/** The tree takes the name of `fun String.shout()` for the last part of the type. */
function extension(node: Node): Named | undefined {
  const name = childOf(node, 'user_type')?.namedChildren.at(-1)
  if (name?.type !== 'identifier') return undefined
  const kind = BODIES.has(node.parent?.type ?? '') ? 'method' : 'function'
  return { kind, name: name.text, isPublic: isOpen(node) }
}

const classKind = (node: Node) =>
  node.children.some(child => child?.type === 'interface')
    ? 'interface'
    : /\benum\b/.test(modifiers(node))
      ? 'enum'
      : 'class'

/** `fun String.shout()` in some trees: all of `String.shout` is a type, and the name is missing. */
const isNameless = (node: Node): boolean => field(node, 'name')?.text === ''

const isMember = (node: Node): boolean => /^(class_body|enum_class_body|source_file)$/.test(node.parent?.type ?? '')

/** A trailing lambda is an argument, though the tree has it as a call of the call's result. */
function callExpression(node: Node): Expression | undefined {
  const args = childOf(node, 'value_arguments')
  const hasLambda = childOf(node, 'annotated_lambda') !== undefined
  const [callee] = childrenOf(node)
  if (!callee) return undefined
  if (callee.type !== 'call_expression' || args || !hasLambda)
    return { is: 'call', callee, count: countOf(args) + (hasLambda ? 1 : 0) }
  const [inner] = childrenOf(callee)
  const hasOther = childOf(callee, 'annotated_lambda') !== undefined
  return inner && { is: 'call', callee: inner, count: countOf(childOf(callee, 'value_arguments')) + (hasOther ? 2 : 1) }
}

function parametersIn(list: Node): readonly Parameter[] {
  const all: Parameter[] = []
  let isRest = false
  for (const each of childrenOf(list)) {
    if (each.type === 'parameter_modifiers') isRest = /\bvararg\b/.test(each.text)
    else if (each.type === 'parameter') {
      all.push({ ...withLabel(variableIn(each)), isRest })
      isRest = false
    } else if (!/comment/.test(each.type)) {
      // A default is next to its parameter, not in it.
      const last = all.pop()
      if (last) all.push({ ...last, isOptional: true })
    }
  }
  return all
}

const withLabel = (variable: Variable): Parameter => ({ ...variable, label: variable.name })

const constructorParameter = (node: Node): Parameter => ({
  ...withLabel(variableIn(node)),
  isOptional: /=/.test(node.text.replace(/^[^:]*:/, '')),
  isRest: /^(\w+\s+)*vararg\b/.test(node.text),
  isProperty: /^(@\S+\s+|\w+\s+)*(val|var)\b/.test(node.text),
})
