import type { Node } from 'web-tree-sitter'
import { declares, type LanguageRules, type Named } from '../rules.ts'
import { cSymbols, declared, isTestCall, isTestMacro } from './c.ts'

const always = (): boolean => true

export const cpp: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm',
  wrappers: new Set(['template_declaration']),
  symbols: {
    ...cSymbols,
    function_definition: node =>
      isTestMacro(node) ? undefined : declared(node, isMember(node) ? 'method' : 'function'),
    field_declaration(node): Named | undefined {
      const declarator = node.childForFieldName('declarator')
      const isMethod =
        declarator?.type === 'function_declarator' ||
        (declarator?.descendantsOfType('function_declarator').length ?? 0) > 0
      return isMethod ? declared(node, 'method') : undefined
    },
    class_specifier: node => (node.childForFieldName('body') ? declares('class', always)(node) : undefined),
    alias_declaration: declares('type', always),
    concept_definition: declares('type', always),
    namespace_definition: declares('module', () => false),
  },
  // What has no name to be reached by is for this file alone.
  isClosed: node => node.type === 'namespace_definition' && !node.childForFieldName('name'),
  transparent: new Set(['module']),
  tests: { function_definition: isTestMacro, call_expression: isTestCall },
}

function isMember(node: Node): boolean {
  const above = node.parent?.type === 'template_declaration' ? node.parent.parent : node.parent
  return above?.type === 'field_declaration_list'
}
