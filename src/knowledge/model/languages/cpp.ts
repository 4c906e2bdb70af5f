import type { Node } from 'web-tree-sitter'
import { childOf, childrenOf, countOf, declares, field, textOf } from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import type { Expression, GrammarLanguage, Named, TypeName } from '../grammar/language.ts'
import { declared, isTestMacro, parametersIn, parametersOf, shared, typeIn, variableIn, withBody } from './c.ts'

const HOLDERS = /(^|\.)(unique_ptr|shared_ptr|weak_ptr|optional|reference_wrapper)$/

export const cpp: GrammarLanguage = {
  ...shared,
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm',
  wrappers: new Set(['template_declaration']),
  declarations: {
    ...shared.declarations,
    function_definition: node =>
      isTestMacro(node) ? undefined : isMember(node) ? member(node) : declared(node, 'function'),
    // A constructor has no type, and so is no field for the grammar.
    declaration: node => (isMember(node) ? member(node) : shared.declarations.declaration(node)),
    field_declaration: node =>
      (field(node, 'declarator')?.descendantsOfType('function_declarator').length ?? 0) > 0 ? member(node) : undefined,
    class_specifier: withBody('class'),
    alias_declaration: declares('type'),
    concept_definition: declares('type'),
    namespace_definition: declares('module', () => false),
  },
  // What has no name to be reached by is for this file alone.
  closed: { namespace_definition: node => !field(node, 'name') },
  transparent: new Set(['module']),
  parameters: parametersOf,
  supertypes: node => {
    const list = childOf(node, 'base_class_clause')
    return list
      ? childrenOf(list).filter(({ type }) => /^(type_identifier|qualified_identifier|template_type)$/.test(type))
      : []
  },
  scopes: new Set([...shared.scopes, 'for_range_loop', 'lambda_expression']),
  variables: {
    ...shared.variables,
    lambda_expression(node) {
      const head = field(node, 'declarator')
      const list = head && field(head, 'parameters')
      return list ? parametersIn(list) : []
    },
    for_range_loop: node => [{ ...variableIn(node), init: field(node, 'right'), isElement: true }],
  },
  calls: { ...shared.calls, call_expression: called, new_expression: expression.creation },
  expressions: {
    ...shared.expressions,
    namespace_identifier: expression.name,
    this: expression.self,
    field_expression: expression.member('argument', 'field', ({ text }) => dots(text)),
    qualified_identifier(node) {
      const [of, name] = [field(node, 'scope'), field(node, 'name')]
      if (!name) return undefined
      return of ? { is: 'member', of, name: dots(name.text) } : { is: 'same', as: name }
    },
    template_function: expression.same('name'),
    template_method: expression.same('name'),
  },
  type(node) {
    for (let at: Node | undefined = node; at;) {
      const type: TypeName | undefined = typeIn(at, typeOf)
      const [first] = type && HOLDERS.test(type.name) ? type.args : []
      if (!first) return type
      // What these hold is what is called.
      at = first
    }
    return undefined
  },
}

function typeOf(node: Node): TypeName | undefined {
  // `a::b<c>` is `a.b` and what stands between the brackets.
  let inner: Node | undefined = node
  while (inner?.type === 'qualified_identifier') inner = field(inner, 'name')
  const args = inner?.type === 'template_type' ? field(inner, 'arguments') : undefined
  if (inner?.type === 'template_type') return { name: dots(node.text), args: args ? childrenOf(args) : [] }
  return /^(type_identifier|qualified_identifier|namespace_identifier|identifier)$/.test(node.type)
    ? { name: dots(node.text), args: [] }
    : undefined
}

const dots = (name: string): string =>
  name
    .replaceAll(/\s*::\s*/g, '.')
    .replace(/^\./, '')
    .replaceAll(/<[^]*>/g, '')

const isMember = (node: Node): boolean => outermost(node).parent?.type === 'field_declaration_list'

const outermost = (node: Node): Node => (node.parent?.type === 'template_declaration' ? node.parent : node)

/** In a class `static` says nothing about other files. */
function member(node: Node): Named | undefined {
  const found = declared(node, 'method')
  return found && { ...found, isPublic: !isPrivate(node) }
}

function isPrivate(node: Node): boolean {
  const whole = outermost(node)
  for (let before = whole.previousNamedSibling; before; before = before.previousNamedSibling)
    if (before.type === 'access_specifier') return before.text.startsWith('private')
  return whole.parent?.parent?.type === 'class_specifier'
}

function called(node: Node): Expression | undefined {
  const callee = field(node, 'function')
  if (!callee) return undefined
  const count = countOf(field(node, 'arguments'))
  let inner: Node | undefined = callee
  while (inner?.type === 'qualified_identifier') inner = field(inner, 'name')
  const args = inner?.type === 'template_function' ? field(inner, 'arguments') : undefined
  const name = inner && args ? textOf(inner, 'name') : ''
  const [first] = args ? childrenOf(args) : []
  if (first && name.endsWith('_cast')) return { is: 'typed', type: first }
  if (first && /^make_(unique|shared)$/.test(name)) return { is: 'new', type: first, count }
  return { is: 'call', callee, count }
}
