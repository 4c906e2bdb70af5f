import type { Node } from 'web-tree-sitter'
import { declares, type LanguageRules, type Named } from '../rules.ts'
import { cSymbols, declared, inlineOfHeader, isTestCall, isTestMacro } from './c.ts'

const always = (): boolean => true

export const cpp: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-cpp.wasm',
  wrappers: new Set(['template_declaration']),
  symbols: {
    ...cSymbols,
    function_definition: node =>
      isTestMacro(node) ? undefined : isMember(node) ? member(node) : declared(node, 'function'),
    field_declaration(node): Named | undefined {
      const declarator = node.childForFieldName('declarator')
      const isMethod =
        declarator?.type === 'function_declarator' ||
        (declarator?.descendantsOfType('function_declarator').length ?? 0) > 0
      return isMethod ? member(node) : undefined
    },
    class_specifier: node => (node.childForFieldName('body') ? declares('class', always)(node) : undefined),
    alias_declaration: declares('type', always),
    concept_definition: declares('type', always),
    namespace_definition: declares('module', () => false),
  },
  // What has no name to be reached by is for this file alone.
  isClosed: node => node.type === 'namespace_definition' && !node.childForFieldName('name'),
  transparent: new Set(['module']),
  exports: inlineOfHeader,
  tests: { function_definition: isTestMacro, call_expression: isTestCall },
}

const isMember = (node: Node): boolean => outermost(node).parent?.type === 'field_declaration_list'

const outermost = (node: Node): Node => (node.parent?.type === 'template_declaration' ? node.parent : node)

/** In a class `static` says nothing about other files. */
function member(node: Node): Named | undefined {
  const found = declared(node, 'method')
  return found && { ...found, isPublic: !isPrivate(node) }
}

function isPrivate(node: Node): boolean {
  const whole = outermost(node)
  for (let above = whole.previousNamedSibling; above; above = above.previousNamedSibling)
    if (above.type === 'access_specifier') return above.text.startsWith('private')
  return whole.parent?.parent?.type === 'class_specifier'
}
