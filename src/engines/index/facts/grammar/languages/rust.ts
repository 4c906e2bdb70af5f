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
    function_item: node => declares(isMember(node) ? 'method' : 'function', isOfTrait(node) ? always : isPub)(node),
    function_signature_item: node =>
      isOfTrait(node) ? declares('method', always)(node) : declares('function', isPub)(node),
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
  scopes: { impl_item: node => node.childForFieldName('type')?.text.replace(/<.*$/s, '') },
  exports: root => ({ names: root.namedChildren.flatMap(passedOn), isAll: false }),
  tests: { attribute_item: node => /^#\[\s*((\w+::)*test|rstest|test_case)\b/.test(node.text) },
}

const isMember = (node: Node): boolean => /^(impl|trait)_item$/.test(node.parent?.parent?.type ?? '')

/** What a trait asks for and what is done for one is as open as the trait. */
function isOfTrait(node: Node): boolean {
  const around = node.parent?.parent
  return around?.type === 'trait_item' || (around?.type === 'impl_item' && around.childForFieldName('trait') !== null)
}

function isExportedMacro(node: Node): boolean {
  for (let above = node.previousNamedSibling; above; above = above.previousNamedSibling) {
    if (!/^attribute_item$|comment/.test(above.type)) return false
    if (/^#\[\s*macro_export\b/.test(above.text)) return true
  }
  return false
}

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
