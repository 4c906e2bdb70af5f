import type { Node } from 'web-tree-sitter'
import { declares, functionIn, modifiers, type LanguageRules } from '../rules.ts'

/** What says nothing is there for the other files of the module, and `private(set)` is about writing alone. */
const isOpen = (node: Node): boolean => !/\b(private|fileprivate)\b(?!\s*\(\s*set\b)/.test(modifiers(node))

export const swift: LanguageRules = {
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm',
  symbols: {
    class_declaration: node =>
      isExtension(node) ? undefined : declares(hasWord(node, 'enum') ? 'enum' : 'class', isOpen)(node),
    protocol_declaration: declares('interface', isOpen),
    function_declaration: functionIn(new Set(['class_body', 'enum_class_body', 'protocol_body']), isOpen),
    protocol_function_declaration: declares('method', isOpen),
    init_declaration: node => ({ kind: 'method', name: 'init', isPublic: isOpen(node) }),
    typealias_declaration: declares('type', isOpen),
    property_declaration: node =>
      node.parent?.type === 'source_file' ? declares('variable', isOpen)(node) : undefined,
  },
  scopes: { class_declaration: node => (isExtension(node) ? node.childForFieldName('name')?.text : undefined) },
  tests: {
    inheritance_specifier: node => /\bXCTestCase\b/.test(node.text),
    attribute: node => /^@(Test|Suite)\b/.test(node.text),
  },
}

const isExtension = (node: Node): boolean => hasWord(node, 'extension')

const hasWord = (node: Node, word: string): boolean => node.children.some(child => child?.type === word)
