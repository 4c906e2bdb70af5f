import type { Node } from 'web-tree-sitter'
import { declares, type LanguageRules } from '../rules.ts'

const isPub = (node: Node): boolean =>
  node.namedChildren.some(
    child => child?.type === 'visibility_modifier' && !/\(\s*(self|in\s+self)\s*\)/.test(child.text),
  )

const always = (): boolean => true

export const rust: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm',
  symbols: {
    function_item: node => declares(isMember(node) ? 'method' : 'function', isPub)(node),
    function_signature_item: declares('method', always),
    struct_item: declares('class', isPub),
    union_item: declares('class', isPub),
    enum_item: declares('enum', isPub),
    trait_item: declares('interface', isPub),
    type_item: declares('type', isPub),
    const_item: declares('variable', isPub),
    static_item: declares('variable', isPub),
    mod_item: declares('module', isPub),
    macro_definition: declares('function', node => /macro_export/.test(node.previousNamedSibling?.text ?? '')),
  },
  scopes: { impl_item: node => node.childForFieldName('type')?.text.replace(/<.*$/s, '') },
  exports: root => ({ names: root.namedChildren.flatMap(passedOn), isAll: false }),
  tests: { attribute_item: node => /^#\[\s*((\w+::)*test|rstest|test_case)\b/.test(node.text) },
}

const isMember = (node: Node): boolean => /^(impl|trait)_item$/.test(node.parent?.parent?.type ?? '')

/** `pub use a::{B, c as d}` */
function passedOn(node: Node | null): readonly string[] {
  if (node?.type !== 'use_declaration' || !isPub(node)) return []
  const argument = node.childForFieldName('argument')
  return argument ? usedNames(argument) : []
}

function usedNames(node: Node): readonly string[] {
  switch (node.type) {
    case 'identifier':
      return [node.text]
    case 'scoped_identifier':
      return [node.childForFieldName('name')?.text ?? ''].filter(Boolean)
    case 'use_as_clause':
      return [node.childForFieldName('alias')?.text ?? ''].filter(name => name !== '' && name !== '_')
    case 'use_list':
      return node.namedChildren.flatMap(child => (child ? usedNames(child) : []))
    case 'scoped_use_list':
      return node.childForFieldName('list') ? usedNames(node.childForFieldName('list') ?? node) : []
    default:
      return []
  }
}
