import type { Node } from 'web-tree-sitter'
import {
  accessOf,
  around,
  childOf,
  childrenOf,
  countOf,
  declares,
  descendants,
  field,
  fieldsOf,
  lambdaVariables,
  modifiers,
  splitPath,
  textOf,
} from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import { isComputed, lookedUpTexts } from '../grammar/lookup-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { Access } from '../file-model/file-model.ts'
import type { Expression, GrammarLanguage, Variable } from '../grammar/grammar-language.ts'

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
  const modifierText = modifiers(node)
  const { parent } = node
  if (parent?.type === 'declaration_list' && parent.parent?.type === 'interface_declaration')
    return !/\bprivate\b/.test(modifierText)
  if (parent?.type === 'declaration_list' && parent.parent?.type !== 'namespace_declaration')
    return /\b(public|internal|protected)\b/.test(modifierText)
  return !/\bfile\b/.test(modifierText)
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
    property_declaration: node => (isAccessor(node) ? declares('method', isShared)(node) : undefined),
    indexer_declaration: node => ({ kind: 'method', name: 'this[]', isPublic: isShared(node) }),
    destructor_declaration: node => ({ kind: 'method', name: `~${textOf(node, 'name')}`, isPublic: false }),
    operator_declaration: node => ({ kind: 'method', name: `operator ${signOf(node)}`, isPublic: true }),
    conversion_operator_declaration: node => ({
      kind: 'method',
      name: `operator ${textOf(node, 'type')}`,
      isPublic: true,
    }),
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
    field_declaration: node => declarators(childOf(node, 'variable_declaration')),
    property_declaration: node => [{ name: textOf(node, 'name'), type: writtenType(node) }],
    enum_member_declaration: node => [{ name: textOf(node, 'name'), isOwn: true }],
  },
  parameters(node) {
    const isRecord = node.type === 'record_declaration'
    const list = isRecord ? childOf(node, 'parameter_list') : field(node, 'parameters')
    if (!list || node.type === 'indexer_declaration') return undefined
    const ownParameters = childrenOf(list).flatMap(each =>
      each.type === 'parameter'
        ? {
            name: textOf(each, 'name'),
            label: textOf(each, 'name'),
            type: writtenType(each),
            isOptional: /=/.test(each.text),
            isReceiver: isExtended(each),
            isProperty: isRecord,
          }
        : [],
    )
    // `params` is in the list itself, not in a parameter node.
    const rest = field(list, 'name')?.text
    return rest === undefined
      ? ownParameters
      : [...ownParameters, { name: rest, label: rest, type: field(list, 'type'), isRest: true }]
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
    const type = first && isExtended(first) ? writtenType(first) : undefined
    return type && typeOf(type)?.name.replace(/^.*\./, '')
  },
  accessor: node => (node.type === 'property_declaration' ? 'both' : undefined),
  isStatic: node => childrenOf(node).some(({ type, text }) => type === 'modifier' && text === 'static'),
  scopes: new Set([
    'method_declaration',
    'constructor_declaration',
    'block',
    'lambda_expression',
    'anonymous_method_expression',
    'foreach_statement',
    'for_statement',
    'using_statement',
    'catch_clause',
    'switch_section',
    'switch_expression_arm',
    'query_expression',
  ]),
  variables: {
    variable_declaration: node => (/field/.test(node.parent?.type ?? '') ? [] : declarators(node)),
    declaration_pattern: typedVariable,
    declaration_expression: typedVariable,
    recursive_pattern: typedVariable,
    catch_declaration: typedVariable,
    from_clause: node => [{ ...typedVariable(node)[0], init: childrenOf(node).at(-1), isElement: true }],
    tuple_pattern: node => fieldsOf(node, 'name').map(({ text }) => ({ name: text })),
    foreach_statement: node => [
      { name: textOf(node, 'left'), type: writtenType(node), init: field(node, 'right'), isElement: true },
    ],
    lambda_expression: node => lambdaVariables(node, writtenType),
    anonymous_method_expression: node => lambdaVariables(node, writtenType),
  },
  calls: {
    invocation_expression: expression.call('function'),
    object_creation_expression: expression.creation,
    implicit_object_creation_expression(node) {
      const type = wantedType(node)
      return type && { is: 'new', type, count: countOf(childOf(node, 'argument_list')) }
    },
    constructor_initializer(node) {
      const callee = node.children.find(child => child !== null && /^(base|this)$/.test(child.type))
      return callee ? { is: 'call', callee, count: countOf(childOf(node, 'argument_list')) } : undefined
    },
  },
  expressions: {
    // In an initializer a name is a member of the new object.
    identifier: node => initializerMember(node) ?? expression.name(node),
    generic_name: ({ text }) => ({ is: 'name', name: text.replace(/<.*/s, '') }),
    // `: this(1)` calls another constructor of the class.
    this: ({ parent }) => (parent?.type === 'constructor_initializer' ? { is: 'class' } : { is: 'this' }),
    base: expression.base,
    member_access_expression: expression.member('expression', 'name', ({ text }) => text.replace(/<.*/s, '')),
    conditional_access_expression(node) {
      const [of, binding] = childrenOf(node)
      if (!of || !binding) return undefined
      const name = textOf(binding, 'name').replace(/<.*/s, '')
      return name === '' ? { is: 'element', of } : { is: 'member', of, name }
    },
    await_expression: expression.same(),
    parenthesized_expression: expression.same(),
    cast_expression: expression.withType(),
    string_literal: expression.literal('string'),
    verbatim_string_literal: expression.literal('string'),
    interpolated_string_expression: expression.literal('string'),
    character_literal: expression.literal('char'),
    boolean_literal: expression.literal('bool'),
    integer_literal: number,
    real_literal: number,
  },
  accesses: {
    identifier: nameAccess,
    generic_name: nameAccess,
    member_access_expression: nameAccess,
    conditional_access_expression: nameAccess,
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

/** `nameof(A)` calls nothing. */
const isNamed = ({ parent }: Node): boolean =>
  parent?.parent?.type === 'invocation_expression' && textOf(parent.parent, 'function') === 'nameof'

const isAccessor = (node: Node): boolean =>
  field(node, 'value')?.type === 'arrow_expression_clause' ||
  childrenOf(field(node, 'accessors')).some(each => field(each, 'body') !== undefined)

/** The type of `new()` where what it initializes, or returns it, has one. */
function wantedType({ parent }: Node): Node | undefined {
  if (parent?.type === 'variable_declarator') return writtenType(parent.parent ?? undefined)
  if (parent?.type === 'property_declaration') return writtenType(parent)
  const of = parent && /^(arrow_expression_clause|return_statement)$/.test(parent.type) ? [...around(parent)] : []
  const holder = of.find(({ type }) =>
    /^(method|property)_declaration$|^local_function_statement$|lambda|anonymous/.test(type),
  )
  return field(holder, 'returns') ?? writtenType(holder)
}

/** The operator between `operator` and the parameters. */
const signOf = (node: Node): string => /\boperator\s*(?:checked\s+)?([^\s(]+)/.exec(node.text)?.[1] ?? ''

/** `new Cart { Total = 1 }` assigns a member of the new object. */
function initializerMember(node: Node): Expression | undefined {
  const { parent } = node
  const of = parent?.type === 'assignment_expression' && accessOf(node) === 'write' ? parent.parent?.parent : undefined
  return of?.type === 'object_creation_expression' && parent?.parent?.type === 'initializer_expression'
    ? { is: 'member', of, name: node.text }
    : undefined
}

const VALUES = /(?<!^labeled_|^goto_)(expression|statement|argument|interpolation|declarator|clause)$/

/** How a name or member is accessed; undefined for a name that declares, labels or types something. */
function nameAccess(node: Node): Access | undefined {
  const { parent } = node
  if (!parent || (parent.type === 'argument' && isNamed(parent))) return undefined
  if (!/^(identifier|generic_name)$/.test(node.type)) return accessOf(node)
  const others = ['name', 'type', 'returns', 'parameters', ...(/^(as|is)_/.test(parent.type) ? ['right'] : [])]
  const isOther = others.some(each => field(parent, each)?.id === node.id)
  const isLoop = parent.type === 'foreach_statement' && field(parent, 'left')?.id === node.id
  return VALUES.test(parent.type) && !isOther && !isLoop ? accessOf(node) : undefined
}

/** `this` before the first parameter makes an extension method. */
const isExtended = (parameter: Node): boolean => childOf(parameter, 'modifier')?.text === 'this'

function writtenType(node: Node | undefined): Node | undefined {
  const type = field(node, 'type')
  return type?.type === 'implicit_type' ? undefined : type
}

function typedVariable(node: Node): readonly [Variable] {
  return [{ name: textOf(node, 'name'), type: writtenType(node) }]
}

function declarators(declaration: Node | undefined): readonly Variable[] {
  return childrenOf(declaration).flatMap(each => {
    const name = each.type === 'variable_declarator' ? field(each, 'name') : undefined
    if (!name) return []
    const init = childrenOf(each).find(({ id }) => id !== name.id)
    return { name: name.text, type: writtenType(declaration), init }
  })
}
