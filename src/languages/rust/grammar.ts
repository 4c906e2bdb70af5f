import type { Node } from 'web-tree-sitter'
import { always, bound, childrenOf, declares, field, textOf } from '../grammar/describe.ts'
import * as expression from '../grammar/expression-rules.ts'
import * as types from '../grammar/type-rules.ts'
import type { Expression, GrammarLanguage, Imported, Parameter, Variable } from '../grammar/grammar-language.ts'

const isPub = (node: Node): boolean =>
  childrenOf(node).some(({ type, text }) => type === 'visibility_modifier' && !/\(\s*(self|in\s+self)\s*\)/.test(text))

export const rust: GrammarLanguage = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm',
  declarations: {
    function_item: node => declares(isMember(node) ? 'method' : 'function', isOfTrait(node) ? always : isPub)(node),
    function_signature_item: node => (isOfTrait(node) ? declares('method')(node) : declares('function', isPub)(node)),
    struct_item: declares('class', isPub),
    union_item: declares('class', isPub),
    enum_item: declares('enum', isPub),
    trait_item: declares('interface', isPub),
    type_item: declares('type', isPub),
    const_item: declares('variable', isPub),
    static_item: declares('variable', isPub),
    mod_item: declares('module', isPub),
    macro_definition: declares('function', isExportedMacro),
  },
  lends: { impl_item: node => field(node, 'type')?.text.replace(/<.*$/s, '') },
  exports: root => ({
    names: childrenOf(root)
      .filter(node => node.type === 'use_declaration' && isPub(node))
      .flatMap(useImports)
      .flatMap(({ local }) => (/^(_|self)?$/.test(local) ? [] : local)),
    isAll: false,
  }),
  tests: { attribute_item: node => /^#\[\s*((\w+::)*test|rstest|test_case)\b/.test(node.text) },
  imports: { use_declaration: useImports },
  fields: { field_declaration: node => [{ name: textOf(node, 'name'), type: field(node, 'type') }] },
  parameters(node) {
    const list = field(node, 'parameters')
    return (
      list &&
      childrenOf(list).flatMap((each): readonly Parameter[] =>
        each.type === 'parameter' ? [{ name: textOf(each, 'pattern'), type: field(each, 'type') }] : [],
      )
    )
  },
  returns: node => ({ type: field(node, 'return_type') }),
  supertypes: () => [],
  trait: node => field(node.parent?.parent ?? undefined, 'trait'),
  scopes: new Set([
    'function_item',
    'block',
    'closure_expression',
    'for_expression',
    'if_expression',
    'while_expression',
    'match_arm',
  ]),
  variables: {
    let_declaration(node) {
      const pattern = field(node, 'pattern')
      return pattern?.type === 'identifier'
        ? [{ name: pattern.text, type: field(node, 'type'), init: field(node, 'value') }]
        : patternVariables(pattern)
    },
    for_expression(node) {
      const pattern = field(node, 'pattern')
      return pattern?.type === 'identifier'
        ? [{ name: pattern.text, init: field(node, 'value'), isElement: true }]
        : patternVariables(pattern)
    },
    let_condition: node => patternVariables(field(node, 'pattern')),
    // A guard is no pattern.
    match_pattern: node => patternVariables(childrenOf(node)[0]),
    closure_parameters: node =>
      childrenOf(node).flatMap(each => {
        const pattern = field(each, 'pattern') ?? each
        return pattern.type === 'identifier'
          ? { name: pattern.text, type: field(each, 'type') }
          : patternVariables(pattern)
      }),
  },
  calls: { call_expression: expression.call('function'), token_tree: calledInMacro },
  expressions: {
    identifier: expression.name,
    self: expression.self,
    field_expression: expression.member('value', 'field'),
    scoped_identifier(node) {
      const [of, name] = [field(node, 'path'), field(node, 'name')]
      if (!of || !name) return undefined
      return /^(crate|super)$/.test(of.text) ? { is: 'name', name: name.text } : { is: 'member', of, name: name.text }
    },
    struct_expression: expression.withType('name'),
    reference_expression: expression.same('value'),
    await_expression: expression.same('value'),
    try_expression: expression.same('value'),
    parenthesized_expression: expression.same('value'),
  },
  type: types.reader({
    reference_type: types.inner('type'),
    pointer_type: types.inner('type'),
    generic_type(node) {
      const [name, args] = [dots(textOf(node, 'type')), childrenOf(field(node, 'type_arguments'))]
      // Calls go to the value that these hold.
      return (/^(Box|Rc|Arc|RefMut|Ref)$/.test(name) && args[0]) || { name, args }
    },
    type_identifier: types.plain,
    scoped_type_identifier: node => ({ name: dots(node.text), args: [] }),
  }),
}

/** The names that a pattern binds: not those of constants and variants. */
const patternVariables = (pattern: Node | undefined): readonly Variable[] =>
  bound(pattern, 'identifier', 'shorthand_field_identifier').filter(({ name }) => !/^[A-Z]/.test(name))

/** Modules of the crate are known by their names, wherever a path to them begins. */
const OWN = /^(crate|self|super)$/

const dots = (path: string): string => path.replaceAll('::', '.').replace(/^((crate|self|super)\.)+/, '')

const isMember = (node: Node): boolean => /^(impl|trait)_item$/.test(node.parent?.parent?.type ?? '')

/** Members of a trait and of its implementations are as visible as the trait. */
function isOfTrait(node: Node): boolean {
  const around = node.parent?.parent
  return around?.type === 'trait_item' || (around?.type === 'impl_item' && field(around, 'trait') !== undefined)
}

function isExportedMacro(node: Node): boolean {
  for (let before = node.previousNamedSibling; before; before = before.previousNamedSibling) {
    if (!/^attribute_item$|comment/.test(before.type)) return false
    if (/^#\[\s*macro_export\b/.test(before.text)) return true
  }
  return false
}

/** The imports of a `use`: `use a::{B, c as d}` is B and d of a. */
function useImports(declaration: Node): readonly Required<Imported>[] {
  const imports: Required<Imported>[] = []
  const argument = field(declaration, 'argument')
  const open: { readonly node: Node; readonly above: readonly string[] }[] = argument
    ? [{ node: argument, above: [] }]
    : []
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, above } = next
    const path = (inner: Node | undefined) => [...above, ...(inner?.text.split('::') ?? [])]
    const list = node.type === 'scoped_use_list' ? field(node, 'list') : node.type === 'use_list' ? node : undefined
    if (list) {
      const inner = node === list ? above : path(field(node, 'path'))
      open.push(
        ...childrenOf(list)
          .toReversed()
          .map(each => ({ node: each, above: inner })),
      )
    } else if (node.type === 'use_wildcard') {
      const module = path(childrenOf(node)[0])
        .filter(each => !OWN.test(each))
        .join('.')
      imports.push({ module, name: '*', local: '' })
    } else {
      const isRenamed = node.type === 'use_as_clause'
      const parts = path(isRenamed ? field(node, 'path') : node)
      const name = parts.at(-1) ?? ''
      const module = parts
        .slice(0, -1)
        .filter(each => !OWN.test(each))
        .join('.')
      imports.push({ module, name, local: (isRenamed ? field(node, 'alias')?.text : undefined) ?? name })
    }
  }
  return imports
}

/** Macro arguments have no expression tree: a name before brackets counts as a call. */
function calledInMacro(brackets: Node): Expression | undefined {
  const name = brackets.previousSibling
  if (name?.type !== 'identifier' || !brackets.text.startsWith('(')) return undefined
  const between = name.previousSibling
  const before = between && /^(\.|::)$/.test(between.text) ? between.previousSibling : undefined
  // What comes before brackets or from a macro's parameter is not known.
  const of = before ? (/^(identifier|self)$/.test(before.type) ? before : brackets) : undefined
  return { is: 'call', callee: { of, name: name.text }, count: -1 }
}
