import type { Node } from 'web-tree-sitter'
import { declares, modifiers, type LanguageRules } from '../rules.ts'

const isPublic = (node: Node): boolean => /\bpublic\b/.test(modifiers(node))

export const csharp: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm',
  symbols: {
    namespace_declaration: declares('module', () => false),
    class_declaration: declares('class', isPublic),
    struct_declaration: declares('class', isPublic),
    record_declaration: declares('class', isPublic),
    interface_declaration: declares('interface', isPublic),
    enum_declaration: declares('enum', isPublic),
    delegate_declaration: declares('type', isPublic),
    method_declaration: declares('method', isPublic),
    constructor_declaration: declares('method', isPublic),
    local_function_statement: declares('function', () => false),
  },
  transparent: new Set(['module']),
  tests: {
    attribute: node =>
      /^(Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)$/.test(node.childForFieldName('name')?.text ?? ''),
  },
}
