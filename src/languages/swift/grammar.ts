import type { Node } from 'web-tree-sitter'
import {
  accessOf,
  childOf,
  childrenOf,
  countOf,
  declares,
  descendants,
  field,
  fieldsOf,
  functionIn,
  modifiers,
  textOf,
} from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import { isComputed, lookedUpTexts } from '../grammar/lookup-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { Access } from '../file-model/file-model.ts'
import type { Expression, GrammarLanguage, Parameter, Variable } from '../grammar/grammar-language.ts'

const TYPES = ['user_type', 'array_type', 'optional_type', 'dictionary_type', 'opaque_type', 'existential_type']
const BODIES = new Set(['class_body', 'enum_class_body', 'protocol_body'])

/** Without a modifier a symbol is visible in its module; `private(set)` only concerns writing. */
const isOpen = (node: Node): boolean => !/\b(private|fileprivate)\b(?!\s*\(\s*set\b)/.test(modifiers(node))

export const swift: GrammarLanguage = {
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm',
  // The lexer takes `#selector` for a text in some places.
  easier: text => text.replaceAll(/#(?=(selector|keyPath)\b)/g, ' '),
  declarations: {
    class_declaration: node =>
      isExtension(node) ? undefined : declares(hasWord(node, 'enum') ? 'enum' : 'class', isOpen)(node),
    protocol_declaration: declares('interface', isOpen),
    function_declaration: functionIn(BODIES, isOpen),
    protocol_function_declaration: declares('method', isOpen),
    init_declaration: node => ({ kind: 'method', name: 'init', isPublic: isOpen(node) }),
    typealias_declaration: declares('type', isOpen),
    subscript_declaration: node => ({ kind: 'method', name: 'subscript', isPublic: isOpen(node) }),
    deinit_declaration: () => ({ kind: 'method', name: 'deinit', isPublic: false }),
    property_declaration(node) {
      const isTop = node.parent?.type === 'source_file'
      const kind = !accessor(node) ? 'variable' : isTop ? 'function' : 'method'
      return isTop || (kind === 'method' && isMember(node)) ? declares(kind, isOpen)(node) : undefined
    },
  },
  lends: { class_declaration: node => (isExtension(node) ? field(node, 'name')?.text : undefined) },
  extensions: {
    class_declaration: node => {
      const type = isExtension(node) ? field(node, 'name')?.text : undefined
      return type === undefined ? undefined : { type: type.replace(/<.*/s, ''), bases: basesOf(node) }
    },
  },
  tests: {
    inheritance_specifier: node => /\bXCTestCase\b/.test(node.text),
    attribute: node => /^@(Test|Suite)\b/.test(node.text),
  },
  imports: {
    import_declaration(node) {
      const module = childOf(node, 'identifier')
      return module && { module: module.text }
    },
  },
  fields: {
    property_declaration: node => (isMember(node) ? variables(node) : []),
    protocol_property_declaration: variables,
  },
  parameters: node =>
    /^(function_declaration|init_declaration|protocol_function_declaration)$/.test(node.type)
      ? parametersIn(node)
      : undefined,
  arguments(call) {
    const suffix = childOf(call, 'call_suffix')
    const callArguments = childrenOf(childOf(suffix, 'value_arguments')).flatMap(each => {
      const node = field(each, 'value')
      return node ? { node, label: textOf(each, 'name') } : []
    })
    return [...callArguments, ...childrenOf(suffix).flatMap(node => (node.type === 'lambda_literal' ? { node } : []))]
  },
  returns: node => ({ type: fieldsOf(node, 'name').findLast(isType) }),
  supertypes: basesOf,
  accessor,
  isStatic: node => /\b(static|class)\b/.test(childOf(node, 'modifiers')?.text ?? ''),
  scopes: new Set([
    'function_declaration',
    'init_declaration',
    'lambda_literal',
    'for_statement',
    'if_statement',
    'guard_body',
    'while_statement',
    'switch_entry',
    'catch_block',
    'function_body',
  ]),
  variables: {
    property_declaration: node => (isMember(node) ? [] : variables(node)),
    for_statement: node => [{ name: textOf(node, 'item'), init: field(node, 'collection'), isElement: true }],
    // `case .one(let first)`, `catch let error`, `for (key, value)`
    pattern: patternVariable,
    if_statement: bound,
    guard_statement: bound,
    while_statement: bound,
    lambda_literal: node =>
      descendants(field(node, 'type'), 'lambda_parameter').map(each => ({
        name: textOf(each, 'name'),
        type: childOf(each, ...TYPES),
      })),
  },
  implicitParameter: '$0',
  lambdaScope(call) {
    const [callee, suffix] = childrenOf(call)
    const lambda = childOf(suffix, 'lambda_literal') ?? descendants(suffix, 'lambda_literal')[0]
    const of = callee?.type === 'navigation_expression' ? field(callee, 'target') : undefined
    return lambda && of ? { lambda, first: { value: of, isElement: true } } : undefined
  },
  calls: {
    call_expression(node) {
      const [callee, suffix] = childrenOf(node)
      if (!callee || suffix?.type !== 'call_suffix') return undefined
      const lambdas = childrenOf(suffix).filter(({ type }) => type === 'lambda_literal').length
      return { is: 'call', callee, count: countOf(childOf(suffix, 'value_arguments')) + lambdas }
    },
  },
  expressions: {
    simple_identifier: expression.name,
    self_expression: expression.self,
    super_expression: expression.base,
    navigation_expression(node) {
      const [of, suffix] = [field(node, 'target'), field(node, 'suffix')]
      return of && { is: 'member', of, name: textOf(suffix, 'suffix') }
    },
    as_expression(node) {
      const type = childrenOf(node).findLast(isType)
      return type && { is: 'typed', type }
    },
    line_string_literal: expression.literal('String'),
    multi_line_string_literal: expression.literal('String'),
    boolean_literal: expression.literal('Bool'),
    integer_literal: expression.number('Int', 'Double'),
    real_literal: expression.number('Int', 'Double'),
    optional_chain_expression: inner,
    postfix_expression: inner,
    try_expression: inner,
    await_expression: inner,
    tuple_expression: inner,
    // Some trees take `a + b.c()` for a call on the sum.
    additive_expression: right,
    multiplicative_expression: right,
    comparison_expression: right,
    equality_expression: right,
    conjunction_expression: right,
    disjunction_expression: right,
    infix_expression: right,
    nil_coalescing_expression: right,
  },
  accesses: { navigation_expression: nameAccess, simple_identifier: nameAccess },
  uses: { selector_expression: childrenOf },
  namedTexts: lookedUpTexts(isLookup, 'line_string_literal'),
  lookups: {
    call_expression: node =>
      isLookup(node) && childrenOf(childOf(childOf(node, 'call_suffix'), 'value_arguments')).every(isComputed),
  },
  type: types.reader({
    user_type(node) {
      const names = childrenOf(node).filter(({ type }) => type === 'type_identifier')
      return { name: names.map(({ text }) => text).join('.'), args: childrenOf(childOf(node, 'type_arguments')) }
    },
    type_identifier: types.plain,
    array_type(node) {
      const element = innerType(node)
      return element && { name: '[]', args: [element] }
    },
    dictionary_type: node => ({ name: '[:]', args: childrenOf(node).slice(-1) }),
    optional_type: types.inner('wrapped'),
    opaque_type: innerType,
    existential_type: innerType,
    type_annotation: innerType,
  }),
}

function isLookup(call: Node): boolean {
  return /^(NSSelectorFromString|Selector)$/.test(childrenOf(call)[0]?.text ?? '')
}

function innerType(node: Node): Node | undefined {
  return field(node, 'name') ?? childrenOf(node)[0]
}

function basesOf(node: Node): readonly Node[] {
  return childrenOf(node).flatMap(each =>
    each.type === 'inheritance_specifier' ? (field(each, 'inherits_from') ?? childrenOf(each)[0] ?? []) : [],
  )
}

const isExtension = (node: Node): boolean => hasWord(node, 'extension')

const hasWord = (node: Node, word: string): boolean => node.children.some(child => child?.type === word)

function isType({ type }: Node): boolean {
  return TYPES.includes(type)
}

function inner(node: Node): Expression | undefined {
  const as = field(node, 'target') ?? field(node, 'expr') ?? childrenOf(node).at(-1)
  return as && { is: 'same', as }
}

function right(node: Node): Expression | undefined {
  const as = field(node, 'rhs') ?? field(node, 'if_nil')
  return as && { is: 'same', as }
}

/** The variables of a declaration; only the first has its type and value beside it. */
function variables(node: Node): readonly Variable[] {
  const [name = '', ...others] = fieldsOf(node, 'name').map(each => field(each, 'bound_identifier')?.text ?? each.text)
  return [
    { name, type: childOf(node, 'type_annotation'), init: field(node, 'value') },
    ...others.map(other => ({ name: other })),
  ]
}

/** `if let name = value`, `guard let name = value`, `if let name` */
function bound(node: Node): readonly Variable[] {
  return fieldsOf(node, 'bound_identifier').map(name => {
    const value = name.nextSibling?.type === '=' ? name.nextNamedSibling : undefined
    return { name: name.text, init: value ?? (name.nextSibling?.type === 'type_annotation' ? undefined : name) }
  })
}

/** A name inside of a pattern, whose type is not written. */
function patternVariable(node: Node): readonly Variable[] {
  if (/^(property_declaration|protocol_property_declaration|for_statement)$/.test(node.parent?.type ?? '')) return []
  const name = field(node, 'bound_identifier') ?? (node.namedChildCount === 1 ? node.firstNamedChild : undefined)
  return name?.type === 'simple_identifier' ? [{ name: name.text }] : []
}

const isNamePlace =
  /^(pattern|lambda_parameter|parameter|navigation_suffix|value_argument_label|import_declaration|identifier|attribute|enum_entry|type_\w+|\w+_declaration)$/

/** How a name or member is accessed; undefined for a name that declares, labels or types something. */
function nameAccess(node: Node): Access | undefined {
  const { parent } = node
  if (!parent) return undefined
  const isLabel = ['name', 'bound_identifier', 'suffix', 'external_name'].some(each =>
    fieldsOf(parent, each).some(({ id }) => id === node.id),
  )
  // Some trees take `a + b()` for a call of the sum.
  if (right(parent)?.is === 'same' && field(parent, 'rhs')?.id === node.id && !accessOf(parent)) return undefined
  const isValue = ['value', 'computed_value'].some(each => field(parent, each)?.id === node.id)
  return isLabel || (isNamePlace.test(parent.type) && !isValue) ? undefined : accessOf(node)
}

function parametersIn(node: Node): readonly Parameter[] {
  const parameters: Parameter[] = []
  for (const each of node.children) {
    if (!each) continue
    const last = parameters.at(-1)
    if (each.type === 'parameter') {
      const names = fieldsOf(each, 'name')
      const name = names[0]?.text ?? ''
      const label = field(each, 'external_name')?.text ?? name
      parameters.push({ name, label: label === '_' ? '' : label, type: names.find(isType) })
    } else if (last && each.type === '...') parameters[parameters.length - 1] = { ...last, isRest: true }
    else if (last && each.type === '=') parameters[parameters.length - 1] = { ...last, isOptional: true }
  }
  return parameters
}
const isMember = (node: Node): boolean => BODIES.has(node.parent?.type ?? '')

/** What runs a property: code of its own to read it, or to watch it. */
function accessor(node: Node): Access | undefined {
  if (node.type !== 'property_declaration') return undefined
  if (field(node, 'computed_value')) return 'both'
  return childOf(node, 'willset_didset_block') ? 'write' : undefined
}
