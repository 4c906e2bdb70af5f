import type { Node } from 'web-tree-sitter'
import {
  around,
  childOf,
  childrenOf,
  countOf,
  declares,
  descendants,
  field,
  fieldsOf,
  isInside,
  modifiers,
  textOf,
} from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { GrammarLanguage, Kind, Named, Parameter, Variable } from '../grammar/grammar-language.ts'

const isVisible = (node: Node): boolean => !/\bstatic\b/.test(modifiers(node))

const innerName = types.inner('name')

/** Type rules that C++ shares with C; a struct has its name. */
export const sharedTypes = {
  type_descriptor: types.inner('type'),
  struct_specifier: innerName,
  union_specifier: innerName,
  class_specifier: innerName,
  enum_specifier: innerName,
  identifier: types.plain,
  type_identifier: types.plain,
}

/** Rules that C++ shares with C. */
export const cFamily = {
  declarations: {
    function_definition: node => declarationIn(node, 'function'),
    declaration: node =>
      isInside(node, /^compound_statement$/)
        ? []
        : fieldsOf(node, 'declarator').flatMap(each => declaredBy(node, each)),
    type_definition: node =>
      fieldsOf(node, 'declarator').flatMap(each => {
        const name = innermost(each)
        return name ? { kind: 'type' as const, name: name.text, isPublic: true } : []
      }),
    struct_specifier: withBody('class'),
    union_specifier: withBody('class'),
    enum_specifier: withBody('enum'),
    // An include guard declares nothing.
    preproc_def: node => (field(node, 'value') ? declares('variable')(node) : undefined),
    preproc_function_def: declares('function'),
  },
  exports: inlineOfHeader,
  tests: {
    function_definition: isTestMacro,
    call_expression: node =>
      /^(TEST_CASE|SCENARIO|RUN_TEST|START_TEST|cmocka_unit_test|BOOST_AUTO_TEST_CASE)$/.test(textOf(node, 'function')),
  },
  imports: { preproc_include: node => field(node, 'path') && { module: textOf(node, 'path').slice(1, -1) } },
  fields: { field_declaration: node => (functionOf(node) ? [] : declarators(node)) },
  returns: node => ({ type: writtenType(node) }),
  supertypes: () => [],
  scopes: new Set(['function_definition', 'compound_statement', 'for_statement']),
  variables: { declaration: declarators },
  calls: {
    call_expression: expression.call('function'),
    compound_literal_expression(node) {
      const type = field(node, 'type')
      return type && { is: 'new', type: field(type, 'type') ?? type, count: countOf(field(node, 'value')) }
    },
  },
  expressions: {
    identifier: expression.name,
    field_identifier: expression.name,
    type_identifier: expression.name,
    field_expression: expression.member('argument', 'field'),
    parenthesized_expression: expression.same('argument'),
    pointer_expression: expression.same('argument'),
    cast_expression: expression.withType(),
    subscript_expression: expression.element('argument'),
  },
} satisfies Partial<GrammarLanguage>

export const c: GrammarLanguage = {
  ...cFamily,
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-c.wasm',
  /** In C an empty parameter list leaves the parameters open. */
  parameters(node) {
    const parameters = parametersOf(node)
    const list = field(functionOf(node) ?? node, 'parameters')
    return parameters?.length === 0 && list && childrenOf(list).length === 0 && node.type !== 'preproc_function_def'
      ? [{ name: '', isRest: true }]
      : parameters
  },
  type: types.reader(sharedTypes),
}

/** A `static inline` function of a header is visible to all that include it. */
function inlineOfHeader(root: Node, path: string): { readonly names: readonly string[]; readonly isAll: boolean } {
  const isHeader = /\.(h|hh|hpp|hxx)$/i.test(path)
  const functions = isHeader && /\binline\b/.test(root.text) ? descendants(root, 'function_definition') : []
  const names = functions.flatMap(node => {
    const isMeant = /\bstatic\b/.test(modifiers(node)) && /\binline\b/.test(modifiers(node)) && isAtTop(node)
    return (isMeant && declarationIn(node, 'function')?.name) || []
  })
  return { names, isAll: false }
}

/** Also inside of conditional preprocessor blocks. */
const isAtTop = (node: Node): boolean =>
  [...around(node)].every(({ type }) =>
    /^(translation_unit|preproc_\w+|linkage_specification|declaration_list)$/.test(type),
  )

export function isTestMacro(node: Node): boolean {
  const name = textOf(field(node, 'declarator'), 'declarator')
  return /^(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|TEST_CASE|START_TEST|Test|BOOST_AUTO_TEST_CASE)$/.test(name)
}

/** Without a body it is only a reference. */
export function withBody(kind: Kind) {
  return (node: Node): Named | undefined => (field(node, 'body') ? declares(kind)(node) : undefined)
}

/** The name in a definition or member: `A::b` is b in A. */
export function declarationIn(node: Node, kind: Kind): Named | undefined {
  const declarator = field(node, 'declarator')
  const name = declarator && innermost(declarator)
  if (!name || name.text === '') return undefined
  const parts = name.text.split('::').map(part => part.trim())
  const within = parts.slice(0, -1)
  return {
    kind: within.length > 0 ? 'method' : kind,
    name: parts.at(-1) ?? name.text,
    isPublic: isVisible(node),
    ...(within.length > 0 && { within }),
  }
}

function declaredBy(node: Node, declarator: Node): readonly Named[] {
  const name = innermost(declarator)
  if (!name || name.text.includes('::')) return []
  const isFunction =
    /^(\w+_declarator)?$/.test(declarator.type) && declarator.descendantsOfType('function_declarator').length > 0
  const isPointer = declarator.descendantsOfType('parenthesized_declarator').length > 0
  return [{ kind: isFunction && !isPointer ? 'function' : 'variable', name: name.text, isPublic: isVisible(node) }]
}

/** The node of the name in a declarator. */
function innermost(declarator: Node): Node | undefined {
  for (let at: Node | undefined = declarator; at;) {
    if (/identifier$|^operator_name$|^destructor_name$|^operator_cast$/.test(at.type)) return at
    at = field(at, 'declarator') ?? childrenOf(at).find(({ type }) => /declarator$|identifier$|_name$/.test(type))
  }
  return undefined
}

function writtenType(node: Node): Node | undefined {
  const type = field(node, 'type')
  return type?.type === 'placeholder_type_specifier' || type?.type === 'auto' ? undefined : type
}

/** The function declarator of a declaration; none for a function pointer. */
function functionOf(node: Node): Node | undefined {
  for (let at = field(node, 'declarator'); at; at = field(at, 'declarator') ?? childOf(at, 'function_declarator')) {
    if (at.type !== 'function_declarator') continue
    return field(at, 'declarator')?.type === 'parenthesized_declarator' ? undefined : at
  }
  return undefined
}

const NAME = /^(identifier|field_identifier|namespace_identifier|type_identifier)$/

function nameIn(node: Node | undefined): string {
  for (let at = node; at; at = field(at, 'declarator') ?? childrenOf(at)[0]) if (NAME.test(at.type)) return at.text
  return ''
}

export function variableIn(node: Node): Variable {
  return { name: nameIn(field(node, 'declarator')), type: writtenType(node) }
}

function declarators(node: Node): readonly Variable[] {
  return fieldsOf(node, 'declarator').map(each => {
    const value = field(each, 'value')
    const init = value?.type === 'argument_list' || value?.type === 'initializer_list' ? undefined : value
    return { name: nameIn(each), type: writtenType(node), init }
  })
}

export function parametersOf(node: Node): readonly Parameter[] | undefined {
  if (node.type === 'preproc_function_def') {
    const list = field(node, 'parameters')
    return list && childrenOf(list).map(each => ({ name: each.text, isRest: each.text === '...' }))
  }
  const list = field(functionOf(node) ?? node, 'parameters')
  return list?.type === 'parameter_list' ? parametersIn(list) : undefined
}

const POINTERS = ['pointer_declarator', 'abstract_pointer_declarator', 'array_declarator', 'abstract_array_declarator']

export function parametersIn(list: Node | undefined): readonly Parameter[] {
  return childrenOf(list).flatMap((each): readonly Parameter[] => {
    if (each.type === 'variadic_parameter' || each.type === 'variadic_parameter_declaration')
      return [{ name: '', isRest: true }]
    if (!each.type.endsWith('parameter_declaration')) return []
    // `f(void)` takes no arguments.
    if (field(each, 'declarator') === undefined && each.text.trim() === 'void') return []
    const isPointer = descendants(each, ...POINTERS).length > 0
    return [{ ...variableIn(each), isPointer, isOptional: each.type === 'optional_parameter_declaration' }]
  })
}
