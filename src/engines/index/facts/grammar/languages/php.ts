import type { Node } from 'web-tree-sitter'
import { declares, modifiers, type LanguageRules, type Named } from '../rules.ts'

const always = (): boolean => true
const isShared = (node: Node): boolean => !/\bprivate\b/.test(modifiers(node))

export const php: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-php.wasm',
  symbols: {
    class_declaration: declares('class', always),
    interface_declaration: declares('interface', always),
    trait_declaration: declares('class', always),
    enum_declaration: declares('enum', always),
    function_definition: declares('function', always),
    method_declaration: declares('method', isShared),
    const_declaration: constants,
    function_call_expression(node) {
      if (node.childForFieldName('function')?.text !== 'define') return undefined
      const name = node.childForFieldName('arguments')?.descendantsOfType('string_content')[0]?.text
      return name === undefined ? undefined : { kind: 'variable', name, isPublic: true }
    },
  },
  tests: {
    base_clause: node => /\bTestCase\b/.test(node.text),
    attribute: node => /^\\?([\w\\]+\\)?(Test|DataProvider)\b/.test(node.text),
    function_call_expression: node =>
      /^(it|test|describe)$/.test(node.childForFieldName('function')?.text ?? '') &&
      /^\(\s*['"]/.test(node.childForFieldName('arguments')?.text ?? ''),
  },
}

function constants(node: Node): readonly Named[] {
  if (node.parent?.type === 'declaration_list') return []
  return node.namedChildren.flatMap(child =>
    child?.type === 'const_element'
      ? { kind: 'variable' as const, name: child.namedChildren[0]?.text ?? '', isPublic: true }
      : [],
  )
}
