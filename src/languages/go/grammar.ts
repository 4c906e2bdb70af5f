import type { Node } from 'web-tree-sitter'
import { bound, childrenOf, declares, descendants, field, fieldsOf, isInside, textOf } from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import { isComputed, lookedUpTexts } from '../grammar/lookup-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { Expression, GrammarLanguage, Named, Parameter } from '../grammar/grammar-language.ts'

const isCapital = (_node: Node, name: string): boolean => /^\p{Lu}/u.test(name)

export const go: GrammarLanguage = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm',
  declarations: {
    function_declaration: declares('function', isCapital),
    method_declaration(node) {
      const method = declares('method', isCapital)(node)
      const type = descendants(field(node, 'receiver'), 'type_identifier')[0]?.text
      return method && { ...method, ...(type !== undefined && { within: [type] }) }
    },
    method_elem: declares('method', isCapital),
    type_spec: node => declares(typeKind(node), isCapital)(node),
    type_alias: declares('type', isCapital),
    const_spec: variables,
    var_spec: variables,
  },
  tests: {
    function_declaration: node =>
      /^(Test|Benchmark|Fuzz|Example)(\P{Ll}|$)/u.test(textOf(node, 'name')) &&
      /\*testing\.[TBF]\b|^\(\)$/.test(textOf(node, 'parameters')),
  },
  imports: {
    import_spec(node) {
      const path = textOf(node, 'path').slice(1, -1)
      const local = field(node, 'name')?.text ?? path.slice(path.lastIndexOf('/') + 1)
      return { module: path.replaceAll('/', '.'), local: local === '.' ? '' : local }
    },
  },
  fields: {
    field_declaration: node => fieldsOf(node, 'name').map(each => ({ name: each.text, type: field(node, 'type') })),
  },
  parameters(node) {
    const list = field(node, 'parameters')
    const receivers = parametersIn(field(node, 'receiver')).map(each => ({ ...each, isReceiver: true }))
    return list && [...receivers, ...parametersIn(list)]
  },
  returns(node) {
    const result = field(node, 'result')
    if (result?.type !== 'parameter_list') return { type: result }
    return { type: field(childrenOf(result)[0], 'type') }
  },
  // A struct has the methods of its embedded types.
  supertypes(node) {
    const type = node.type === 'type_spec' ? field(node, 'type') : undefined
    const fields = type?.type === 'struct_type' ? childrenOf(type).flatMap(childrenOf) : []
    return fields.flatMap(each =>
      each.type === 'field_declaration' && !field(each, 'name') ? (field(each, 'type') ?? []) : [],
    )
  },
  scopes: new Set([
    'function_declaration',
    'method_declaration',
    'func_literal',
    'block',
    'for_statement',
    'if_statement',
    'type_switch_statement',
    'type_case',
    'expression_case',
    'default_case',
    'communication_case',
  ]),
  variables: {
    short_var_declaration: node => pairs(field(node, 'left'), field(node, 'right')),
    var_spec(node) {
      const values = childrenOf(field(node, 'value'))
      return fieldsOf(node, 'name').map((each, at) => ({
        name: each.text,
        type: field(node, 'type'),
        init: values[at],
      }))
    },
    range_clause(node) {
      const [key, name] = childrenOf(field(node, 'left')).map(({ text }) => text)
      return [
        ...(key === undefined ? [] : [{ name: key }]),
        ...(name === undefined ? [] : [{ name, init: field(node, 'right'), isElement: true }]),
      ]
    },
    receive_statement: node => bound(field(node, 'left'), 'identifier'),
    func_literal: node => parametersIn(field(node, 'parameters')),
    // In the case of one type the variable is of it.
    type_case(node) {
      const [type, ...others] = fieldsOf(node, 'type')
      const name = textOf(node.parent ?? undefined, 'alias')
      return [{ name, type: others.length === 0 ? type : undefined }]
    },
    default_case: node => bound(field(node.parent ?? node, 'alias'), 'identifier'),
  },
  calls: { call_expression: expression.call('function'), type_conversion_expression: genericCall },
  expressions: {
    identifier: expression.name,
    package_identifier: expression.name,
    selector_expression: expression.member('operand', 'field'),
    composite_literal: expression.withType(),
    unary_expression: expression.same('operand'),
    parenthesized_expression: expression.same(),
    type_assertion_expression: expression.withType(),
    index_expression: expression.element('operand'),
  },
  uses: {
    argument_list: handedOn,
    expression_list: node => (isAssigned(node) ? [] : handedOn(node)),
    literal_element: node => (isKey(node) ? [] : handedOn(node)),
    send_statement: node => [field(node, 'value')].flatMap(each => (each && isName(each) ? [each] : [])),
  },
  namedTexts: lookedUpTexts(isLookup, 'interpreted_string_literal', 'raw_string_literal'),
  lookups: {
    call_expression: node => isLookup(node) && childrenOf(field(node, 'arguments')).filter(isComputed).length === 1,
  },
  localTypes: true,
  type: types.reader({
    pointer_type: types.first,
    parenthesized_type: types.first,
    slice_type: types.collection('element'),
    array_type: types.collection('element'),
    map_type: types.collection('value', 'map'),
    generic_type: node => ({ name: textOf(node, 'type'), args: [] }),
    type_identifier: types.plain,
    qualified_type: types.plain,
  }),
}

/** `MethodByName(x)` of a value, `Lookup(x)` of a plugin. */
function isLookup(call: Node): boolean {
  return /^(MethodByName|Method|Lookup)$/.test(textOf(field(call, 'function'), 'field'))
}

/** `Gen[int](3)` looks like a conversion to a type. */
function genericCall(node: Node): Expression | undefined {
  const generic = field(node, 'type')
  const type = generic?.type === 'generic_type' ? field(generic, 'type') : undefined
  if (!type) return undefined
  const isQualified = type.type === 'qualified_type'
  const name = isQualified ? textOf(type, 'name') : type.text
  return { is: 'call', callee: { of: isQualified ? field(type, 'package') : undefined, name }, count: 1 }
}

const isName = ({ type }: Node): boolean => type === 'identifier' || type === 'selector_expression'

function handedOn(node: Node): readonly Node[] {
  return childrenOf(node).filter(isName)
}

const isAssigned = ({ parent, id }: Node): boolean => parent !== null && field(parent, 'left')?.id === id

const isKey = ({ parent, id }: Node): boolean => parent?.type === 'keyed_element' && field(parent, 'key')?.id === id

const typeKind = (node: Node) => {
  const type = field(node, 'type')?.type
  return type === 'interface_type' ? 'interface' : type === 'struct_type' ? 'class' : 'type'
}

function variables(node: Node): readonly Named[] {
  if (isInside(node, /^block$/)) return []
  return fieldsOf(node, 'name').flatMap(each =>
    each.type === 'identifier' && each.text !== '_'
      ? { kind: 'variable' as const, name: each.text, isPublic: isCapital(each, each.text) }
      : [],
  )
}

function pairs(left: Node | undefined, right: Node | undefined) {
  const values = childrenOf(right)
  // If a call has several results, the first name gets its first result.
  return childrenOf(left).flatMap((each, at) =>
    each.type === 'identifier' ? { name: each.text, init: values[at] } : [],
  )
}

function parametersIn(list: Node | undefined): readonly Parameter[] {
  return childrenOf(list).flatMap(each => {
    const type = field(each, 'type')
    const isRest = each.type === 'variadic_parameter_declaration'
    const names = fieldsOf(each, 'name').map(({ text }) => text)
    return (names.length > 0 ? names : ['']).map(name => ({ name, type, isRest }))
  })
}
