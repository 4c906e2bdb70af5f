import type { Node } from 'web-tree-sitter'
import { declares, modifiers, type LanguageRules } from '../rules.ts'

/** Outside of types what says nothing is internal, for all files of the project; in a type it is private. */
function isShared(node: Node): boolean {
  const said = modifiers(node)
  const { parent } = node
  if (parent?.type === 'declaration_list' && parent.parent?.type === 'interface_declaration')
    return !/\bprivate\b/.test(said)
  if (parent?.type === 'declaration_list' && parent.parent?.type !== 'namespace_declaration')
    return /\b(public|internal|protected)\b/.test(said)
  return !/\bfile\b/.test(said)
}

export const csharp: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-c-sharp.wasm',
  symbols: {
    namespace_declaration: declares('module', () => false),
    class_declaration: declares('class', isShared),
    struct_declaration: declares('class', isShared),
    record_declaration: declares('class', isShared),
    interface_declaration: declares('interface', isShared),
    enum_declaration: declares('enum', isShared),
    delegate_declaration: declares('type', isShared),
    method_declaration: declares('method', isShared),
    constructor_declaration: declares('method', isShared),
    local_function_statement: declares('function', () => false),
  },
  transparent: new Set(['module']),
  tests: {
    attribute: node =>
      /^(Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)$/.test(node.childForFieldName('name')?.text ?? ''),
  },
}
