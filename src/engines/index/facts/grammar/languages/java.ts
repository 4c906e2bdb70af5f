import type { Node } from 'web-tree-sitter'
import { declares, modifiers, type LanguageRules } from '../rules.ts'

const isPublic = (node: Node): boolean => /\bpublic\b/.test(modifiers(node)) || node.parent?.type === 'interface_body'

const TESTS = /^(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)$/

const isTest = (node: Node): boolean => TESTS.test(node.childForFieldName('name')?.text.replace(/^.*\./, '') ?? '')

export const java: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm',
  symbols: {
    class_declaration: declares('class', isPublic),
    record_declaration: declares('class', isPublic),
    interface_declaration: declares('interface', isPublic),
    annotation_type_declaration: declares('interface', isPublic),
    enum_declaration: declares('enum', isPublic),
    method_declaration: declares('method', isPublic),
    constructor_declaration: declares('method', isPublic),
  },
  tests: { marker_annotation: isTest, annotation: isTest },
}
