import type { Node } from 'web-tree-sitter'
import { bound, childOf, childrenOf, countOf, declares, descendants, field, textOf } from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { Expression, GrammarLanguage, Named, TypeName } from '../grammar/grammar-language.ts'
import {
  declarationIn,
  isTestMacro,
  parametersIn,
  parametersOf,
  cFamily,
  sharedTypes,
  variableIn,
  withBody,
} from '../c/grammar.ts'

const HOLDERS = /(^|\.)(unique_ptr|shared_ptr|weak_ptr|optional|reference_wrapper)$/

export const cpp: GrammarLanguage = {
  ...cFamily,
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm',
  wrappers: new Set(['template_declaration']),
  declarations: {
    ...cFamily.declarations,
    function_definition: node =>
      isTestMacro(node) ? undefined : isMember(node) ? member(node) : declarationIn(node, 'function'),
    // A constructor has no type, so the grammar does not take it for a field.
    declaration: node => (isMember(node) ? member(node) : cFamily.declarations.declaration(node)),
    field_declaration: node =>
      descendants(field(node, 'declarator'), 'function_declarator').length > 0 ? member(node) : undefined,
    class_specifier: withBody('class'),
    alias_declaration: declares('type'),
    concept_definition: declares('type'),
    namespace_definition: declares('module', () => false),
  },
  // An unnamed namespace is local to its file.
  closed: { namespace_definition: node => !field(node, 'name') },
  transparent: new Set(['module']),
  parameters: parametersOf,
  hasPointers: true,
  arguments: call => childrenOf(field(call, 'arguments')).flatMap(node => (/comment/.test(node.type) ? [] : { node })),
  supertypes: node =>
    childrenOf(childOf(node, 'base_class_clause')).filter(({ type }) =>
      /^(type_identifier|qualified_identifier|template_type)$/.test(type),
    ),
  scopes: new Set([
    ...cFamily.scopes,
    'for_range_loop',
    'lambda_expression',
    'if_statement',
    'while_statement',
    'switch_statement',
    'catch_clause',
  ]),
  variables: {
    ...cFamily.variables,
    structured_binding_declarator: node => bound(node, 'identifier'),
    catch_clause: node => parametersIn(field(node, 'parameters')),
    lambda_capture_initializer: node => [{ name: textOf(node, 'left'), init: field(node, 'right') }],
    lambda_expression: node => parametersIn(field(field(node, 'declarator'), 'parameters')),
    for_range_loop: node => [{ ...variableIn(node), init: field(node, 'right'), isElement: true }],
  },
  calls: { ...cFamily.calls, call_expression: callExpression, new_expression: expression.creation },
  expressions: {
    ...cFamily.expressions,
    namespace_identifier: expression.name,
    this: expression.self,
    field_expression: expression.member('argument', 'field', ({ text }) => dots(text)),
    qualified_identifier(node) {
      const [of, name] = [field(node, 'scope'), field(node, 'name')]
      if (!name) return undefined
      return of ? { is: 'member', of, name: dots(name.text) } : { is: 'same', as: name }
    },
    string_literal: expression.literal('char*'),
    char_literal: expression.literal('char'),
    true: expression.literal('bool'),
    false: expression.literal('bool'),
    number_literal: expression.number('int', 'double', { l: 'long', u: 'unsigned', ul: 'unsignedlong', f: 'float' }),
    template_function: expression.same('name'),
    template_method: expression.same('name'),
  },
  type: types.reader({
    ...sharedTypes,
    namespace_identifier: types.plain,
    qualified_identifier: typeOf,
    template_type: typeOf,
  }),
}

/** `a::b<c>` is `a.b` with the arguments in brackets. */
function typeOf(node: Node): TypeName | Node {
  const last = unqualifiedName(node)
  const args = last?.type === 'template_type' ? childrenOf(field(last, 'arguments')) : []
  const name = dots(node.text)
  // Calls go to the value that these hold.
  return (HOLDERS.test(name) && args[0]) || { name, args }
}

function unqualifiedName(node: Node): Node | undefined {
  let last: Node | undefined = node
  while (last?.type === 'qualified_identifier') last = field(last, 'name')
  return last
}

const dots = (name: string): string =>
  name
    .replaceAll(/\s*::\s*/g, '.')
    .replace(/^\./, '')
    .replaceAll(/<[^]*>/g, '')

const isMember = (node: Node): boolean => outermost(node).parent?.type === 'field_declaration_list'

const outermost = (node: Node): Node => (node.parent?.type === 'template_declaration' ? node.parent : node)

/** In a class `static` does not limit visibility. */
function member(node: Node): Named | undefined {
  const declaration = declarationIn(node, 'method')
  return declaration && { ...declaration, isPublic: !isPrivate(node) }
}

function isPrivate(node: Node): boolean {
  const whole = outermost(node)
  for (let before = whole.previousNamedSibling; before; before = before.previousNamedSibling)
    if (before.type === 'access_specifier') return before.text.startsWith('private')
  return whole.parent?.parent?.type === 'class_specifier'
}

function callExpression(node: Node): Expression | undefined {
  const callee = field(node, 'function')
  if (!callee) return undefined
  const count = countOf(field(node, 'arguments'))
  const last = unqualifiedName(callee)
  const isTemplate = last?.type === 'template_function'
  const [name, [first]] = [textOf(last, 'name'), isTemplate ? childrenOf(field(last, 'arguments')) : []]
  if (first && name.endsWith('_cast')) return { is: 'typed', type: first }
  if (first && /^make_(unique|shared)$/.test(name)) return { is: 'new', type: first, count }
  return { is: 'call', callee, count }
}
