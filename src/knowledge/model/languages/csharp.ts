import type { Node } from 'web-tree-sitter'
import {
  childOf,
  childrenOf,
  countOf,
  declares,
  descendants,
  field,
  lambdaVariables,
  modifiers,
  splitPath,
  textOf,
} from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import { isComputed, lookedUpTexts } from '../grammar/lookup-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { GrammarLanguage, Variable } from '../grammar/language.ts'

const typeOf = types.reader(
  {
    nullable_type: types.first,
    implicit_type: () => undefined,
    array_type: types.collection('type'),
    generic_name: types.generic,
  },
  types.plain,
)

const SUFFIXES = { l: 'long', u: 'uint', ul: 'ulong', lu: 'ulong', f: 'float', d: 'double', m: 'decimal' }
const number = expression.number('int', 'double', SUFFIXES)

/** Without a modifier, top-level symbols are internal to the project, and members are private. */
function isShared(node: Node): boolean {
  const said = modifiers(node)
  const { parent } = node
  if (parent?.type === 'declaration_list' && parent.parent?.type === 'interface_declaration')
    return !/\bprivate\b/.test(said)
  if (parent?.type === 'declaration_list' && parent.parent?.type !== 'namespace_declaration')
    return /\b(public|internal|protected)\b/.test(said)
  return !/\bfile\b/.test(said)
}

export const csharp: GrammarLanguage = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm',
  declarations: {
    namespace_declaration: declares('module', () => false),
    class_declaration: declares('class', isShared),
    struct_declaration: declares('class', isShared),
    record_declaration: declares('class', isShared),
    interface_declaration: declares('interface', isShared),
    enum_declaration: declares('enum', isShared),
    delegate_declaration: declares('type', isShared),
    method_declaration: declares('method', isShared),
    constructor_declaration: declares('method', isShared),
    local_function_statement: declares('function', () => false),
  },
  transparent: new Set(['module']),
  tests: {
    attribute: node => /^(Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)$/.test(textOf(node, 'name')),
  },
  package: root =>
    field(descendants(root, 'namespace_declaration', 'file_scoped_namespace_declaration')[0] ?? root, 'name')?.text,
  imports: {
    using_directive(node) {
      const names = childrenOf(node)
      const module = names.at(-1)?.text
      const alias = field(node, 'name')?.text
      return module !== undefined && alias !== undefined && names.length > 1
        ? splitPath(module, alias)
        : module === undefined
          ? undefined
          : { module }
    },
  },
  fields: {
    field_declaration: declarators,
    property_declaration: node => [{ name: textOf(node, 'name'), type: written(node) }],
    enum_member_declaration: node => [{ name: textOf(node, 'name'), isOwn: true }],
  },
  parameters(node) {
    const list = field(node, 'parameters')
    if (!list) return undefined
    const own = childrenOf(list).flatMap(each =>
      each.type === 'parameter'
        ? {
            name: textOf(each, 'name'),
            label: textOf(each, 'name'),
            type: written(each),
            isOptional: /=/.test(each.text),
            isReceiver: isExtended(each),
          }
        : [],
    )
    // `params` is in the list itself, not in a parameter node.
    const rest = field(list, 'name')?.text
    return rest === undefined ? own : [...own, { name: rest, label: rest, type: field(list, 'type'), isRest: true }]
  },
  arguments: call =>
    childrenOf(field(call, 'arguments') ?? childOf(call, 'argument_list')).flatMap(each => {
      const node = childrenOf(each).at(-1)
      return node && each.type === 'argument' ? { node, label: field(each, 'name')?.text } : []
    }),
  returns: node => ({ type: field(node, 'returns') }),
  supertypes: node =>
    childrenOf(childOf(node, 'base_list')).filter(({ type }) =>
      /^(identifier|qualified_name|generic_name)$/.test(type),
    ),
  receiver(node) {
    const first = childOf(field(node, 'parameters') ?? node, 'parameter')
    const type = first && isExtended(first) ? written(first) : undefined
    return type && typeOf(type)?.name.replace(/^.*\./, '')
  },
  isStatic: node => childrenOf(node).some(({ type, text }) => type === 'modifier' && text === 'static'),
  scopes: new Set(['method_declaration', 'constructor_declaration', 'block', 'lambda_expression', 'foreach_statement']),
  variables: {
    local_declaration_statement: declarators,
    foreach_statement: node => [
      { name: textOf(node, 'left'), type: written(node), init: field(node, 'right'), isElement: true },
    ],
    lambda_expression: node => lambdaVariables(node, written),
  },
  calls: {
    invocation_expression: expression.call('function'),
    object_creation_expression: expression.creation,
    constructor_initializer(node) {
      const callee = node.children.find(child => child !== null && /^(base|this)$/.test(child.type))
      return callee ? { is: 'call', callee, count: countOf(childOf(node, 'argument_list')) } : undefined
    },
  },
  expressions: {
    identifier: expression.name,
    generic_name: ({ text }) => ({ is: 'name', name: text.replace(/<.*/s, '') }),
    this: expression.self,
    base: expression.base,
    member_access_expression: expression.member('expression', 'name', ({ text }) => text.replace(/<.*/s, '')),
    await_expression: expression.same(),
    parenthesized_expression: expression.same(),
    cast_expression: expression.typed(),
    string_literal: expression.literal('string'),
    verbatim_string_literal: expression.literal('string'),
    interpolated_string_expression: expression.literal('string'),
    character_literal: expression.literal('char'),
    boolean_literal: expression.literal('bool'),
    integer_literal: number,
    real_literal: number,
  },
  uses: {
    argument: node => (isNamed(node) ? [] : valuesIn(node)),
    assignment_expression: node => [field(node, 'right')].flatMap(each => (each && isName(each) ? [each] : [])),
    variable_declarator: node => valuesIn(node).filter(({ id }) => id !== field(node, 'name')?.id),
    return_statement: valuesIn,
    arrow_expression_clause: valuesIn,
    initializer_expression: valuesIn,
    conditional_expression: valuesIn,
  },
  namedTexts: lookedUpTexts(isLookup, 'string_literal', 'verbatim_string_literal'),
  lookups: {
    invocation_expression: node => isLookup(node) && childrenOf(field(node, 'arguments')).every(isComputed),
  },
  type: typeOf,
}

/** Methods that find methods by their names. */
const LOOKS_UP = /^(GetMethods?|GetRuntimeMethods?|GetDeclaredMethods?|GetMembers?|InvokeMember)$/

function isLookup(call: Node): boolean {
  const callee = field(call, 'function')
  return callee?.type === 'member_access_expression' && LOOKS_UP.test(textOf(callee, 'name'))
}

/** A name or member that is no call, and may be a method that is passed on. */
const isName = ({ type }: Node): boolean => /^(identifier|generic_name|member_access_expression)$/.test(type)

function valuesIn(node: Node): readonly Node[] {
  return childrenOf(node).filter(isName)
}

/** `nameof(A)` calls nothing. */
const isNamed = ({ parent }: Node): boolean =>
  parent?.parent?.type === 'invocation_expression' && textOf(parent.parent, 'function') === 'nameof'

/** `this` before the first parameter makes an extension method. */
const isExtended = (parameter: Node): boolean => childOf(parameter, 'modifier')?.text === 'this'

function written(node: Node | undefined): Node | undefined {
  const type = field(node, 'type')
  return type?.type === 'implicit_type' ? undefined : type
}

function declarators(node: Node): readonly Variable[] {
  const declaration = childOf(node, 'variable_declaration')
  return childrenOf(declaration).flatMap(each => {
    const name = each.type === 'variable_declarator' ? field(each, 'name') : undefined
    if (!name) return []
    const init = childrenOf(each).find(({ id }) => id !== name.id)
    return { name: name.text, type: written(declaration), init }
  })
}
