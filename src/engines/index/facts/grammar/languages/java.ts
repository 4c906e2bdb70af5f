import type { Node } from 'web-tree-sitter'
import { declares, modifiers, type LanguageRules } from '../rules.ts'

/** What says nothing is there for the other files of the package. */
const isShared = (node: Node): boolean => !/\bprivate\b/.test(modifiers(node))

const TESTS = /^(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property)$/

const isTest = (node: Node): boolean => TESTS.test(node.childForFieldName('name')?.text.replace(/^.*\./, '') ?? '')

export const java: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-java.wasm',
  symbols: {
    class_declaration: declares('class', isShared),
    record_declaration: declares('class', isShared),
    interface_declaration: declares('interface', isShared),
    annotation_type_declaration: declares('interface', isShared),
    enum_declaration: declares('enum', isShared),
    method_declaration: declares('method', isShared),
    constructor_declaration: declares('method', isShared),
  },
  tests: { marker_annotation: isTest, annotation: isTest },
}
