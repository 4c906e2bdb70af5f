import type { Node } from 'web-tree-sitter'
import {
  childOf,
  childrenOf,
  countOf,
  declares,
  field,
  fieldsOf,
  lambdaVariables,
  modifiers,
  splitPath,
  textOf,
} from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import { JVM_LOOKUPS, isComputed, lookedUpTexts } from '../grammar/lookup-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { GrammarLanguage, Variable } from '../grammar/grammar-language.ts'

const TYPES = ['type_identifier', 'generic_type', 'scoped_type_identifier', 'array_type', 'integral_type']
const number = expression.number('int', 'double', { l: 'long', f: 'float', d: 'double' })
const TESTS = /^(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)$/

/** Without a modifier a symbol is visible in its package. */
const isShared = (node: Node): boolean => !/\bprivate\b/.test(modifiers(node))

const isTest = (node: Node): boolean => TESTS.test(textOf(node, 'name').replace(/^.*\./, ''))

export const java: GrammarLanguage = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm',
  declarations: {
    class_declaration: declares('class', isShared),
    record_declaration: declares('class', isShared),
    interface_declaration: declares('interface', isShared),
    annotation_type_declaration: declares('interface', isShared),
    enum_declaration: declares('enum', isShared),
    method_declaration: declares('method', isShared),
    constructor_declaration: declares('method', isShared),
    compact_constructor_declaration: declares('method', isShared),
    // A record has a method for each component that it does not write itself.
    formal_parameter: node => (isComponent(node) ? declares('method')(node) : undefined),
  },
  tests: { marker_annotation: isTest, annotation: isTest },
  package: root => childOf(root, 'package_declaration')?.namedChildren.find(each => each?.type !== 'annotation')?.text,
  imports: {
    import_declaration(node) {
      const path = childOf(node, 'scoped_identifier', 'identifier')?.text ?? ''
      return childOf(node, 'asterisk') ? { module: path } : splitPath(path)
    },
  },
  fields: {
    field_declaration: declarators,
    enum_constant: node => [{ name: textOf(node, 'name'), isOwn: true }],
  },
  parameters(node) {
    if (node.type === 'formal_parameter') return []
    const list = field(node, 'parameters')
    return (
      list &&
      childrenOf(list).flatMap(each => {
        const isRest = each.type === 'spread_parameter'
        if (each.type !== 'formal_parameter' && !isRest) return []
        const name = textOf(isRest ? (childOf(each, 'variable_declarator') ?? each) : each, 'name')
        const type = isRest ? childOf(each, ...TYPES) : declaredType(each, each)
        return { name, type, isRest, isProperty: node.type === 'record_declaration' }
      })
    )
  },
  arguments: call => childrenOf(field(call, 'arguments')).flatMap(node => (/comment/.test(node.type) ? [] : { node })),
  returns: node => ({ type: writtenType(node) }),
  supertypes: node =>
    childrenOf(node).flatMap(each => {
      if (each.type === 'superclass') return childrenOf(each)
      if (each.type !== 'super_interfaces' && each.type !== 'extends_interfaces') return []
      return childrenOf(childOf(each, 'type_list') ?? each)
    }),
  anonymous: {
    class_body({ parent }) {
      if (parent?.type !== 'object_creation_expression') return undefined
      const base = field(parent, 'type')
      return base ? [base] : []
    },
  },
  isStatic: node => /\bstatic\b/.test(modifiersOf(node)),
  overriding: node => ({
    isPrivate: /\bprivate\b/.test(modifiersOf(node)),
    isOverride: /@(java\.lang\.)?Override\b/.test(modifiersOf(node)),
  }),
  scopes: new Set([
    'method_declaration',
    'constructor_declaration',
    'block',
    'lambda_expression',
    'enhanced_for_statement',
    'for_statement',
    'class_body',
    'try_with_resources_statement',
    'switch_rule',
    'switch_block_statement_group',
    'catch_clause',
  ]),
  variables: {
    local_variable_declaration: declarators,
    enhanced_for_statement: node => [
      { name: textOf(node, 'name'), type: writtenType(node), init: field(node, 'value'), isElement: true },
    ],
    lambda_expression: node => lambdaVariables(node, writtenType),
    catch_formal_parameter: node => [{ name: textOf(node, 'name') }],
    resource: node => [{ name: textOf(node, 'name'), type: writtenType(node), init: field(node, 'value') }],
    type_pattern: patternVariable,
    record_pattern_component: patternVariable,
    instanceof_expression: node => [{ name: textOf(node, 'name'), type: field(node, 'right') }],
  },
  lambdaScope(call) {
    const lambda = childOf(field(call, 'arguments') ?? call, 'lambda_expression')
    const value = field(call, 'object')
    return lambda && value && { lambda, first: { value, isElement: true } }
  },
  calls: {
    method_invocation(node) {
      const name = field(node, 'name')?.text
      if (name === undefined) return undefined
      // `Shape.super.area()`
      const isOfBase = childrenOf(node).some(({ type }) => type === 'super') && field(node, 'object')?.type !== 'super'
      const callee = isOfBase ? ({ of: undefined, name, isOfBase } as const) : { of: field(node, 'object'), name }
      return { is: 'call', callee, count: countOf(field(node, 'arguments')) }
    },
    object_creation_expression: expression.creation,
    explicit_constructor_invocation: expression.call('constructor'),
  },
  expressions: {
    identifier: expression.name,
    field_access: expression.member('object', 'field'),
    // Hands the method on, and calls nothing.
    method_reference(node) {
      const [of, name] = childrenOf(node)
      return of && name && { is: 'member', of, name: name.text }
    },
    // `this(1)` calls another constructor of the class.
    this: ({ parent }) => (parent?.type === 'explicit_constructor_invocation' ? { is: 'class' } : { is: 'this' }),
    super: expression.base,
    parenthesized_expression: expression.same(),
    cast_expression: expression.withType(),
    array_access: expression.element('array'),
    string_literal: expression.literal('String'),
    character_literal: expression.literal('char'),
    true: expression.literal('boolean'),
    false: expression.literal('boolean'),
    decimal_integer_literal: number,
    hex_integer_literal: number,
    decimal_floating_point_literal: number,
  },
  uses: { method_reference: node => [node] },
  namedTexts: lookedUpTexts(isLookup, 'string_literal'),
  lookups: {
    method_invocation: node => isLookup(node) && childrenOf(field(node, 'arguments')).every(isComputed),
  },
  type: types.reader(
    {
      generic_type: types.generic,
      array_type: types.collection('element', 'Array'),
      type_identifier: node => (node.text === 'var' ? undefined : types.plain(node)),
    },
    types.plain,
  ),
}

function isComponent({ parent, text }: Node): boolean {
  const record = parent?.parent
  if (record?.type !== 'record_declaration') return false
  const name = /\w+\s*$/.exec(text)?.[0].trim() ?? ''
  return !childrenOf(field(record, 'body')).some(
    each =>
      each.type === 'method_declaration' && textOf(each, 'name') === name && countOf(field(each, 'parameters')) === 0,
  )
}

function isLookup(call: Node): boolean {
  return JVM_LOOKUPS.test(textOf(call, 'name'))
}

const modifiersOf = (node: Node): string => childOf(node, 'modifiers')?.text ?? ''

function writtenType(node: Node): Node | undefined {
  const type = field(node, 'type')
  return type?.text === 'var' ? undefined : type
}

function declarators(node: Node): readonly Variable[] {
  return fieldsOf(node, 'declarator').flatMap(each => {
    const name = textOf(each, 'name')
    return name === '' ? [] : { name, type: declaredType(node, each), init: field(each, 'value') }
  })
}

function patternVariable(node: Node): readonly Variable[] {
  const [type, name] = childrenOf(node).slice(-2)
  return type && name ? [{ name: name.text, type: type.text === 'var' ? undefined : type }] : []
}

/** None for `String names[]`, whose brackets are apart from its type. */
const declaredType = (node: Node, declarator: Node): Node | undefined =>
  field(declarator, 'dimensions') ? undefined : writtenType(node)
