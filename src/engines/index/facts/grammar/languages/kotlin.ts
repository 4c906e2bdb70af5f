import type { Node } from 'web-tree-sitter'
import { declares, functionIn, modifiers, type LanguageRules } from '../rules.ts'

/** What says nothing is public, and what is internal is there for the other files of the module. */
const isOpen = (node: Node): boolean => !/\bprivate\b/.test(modifiers(node))

export const kotlin: LanguageRules = {
  grammar: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  symbols: {
    class_declaration: node => declares(classKind(node), isOpen)(node),
    object_declaration: declares('class', isOpen),
    companion_object: node => ({
      kind: 'class',
      name: node.childForFieldName('name')?.text ?? 'Companion',
      isPublic: isOpen(node),
    }),
    function_declaration: functionIn(new Set(['class_body', 'enum_class_body']), isOpen),
    property_declaration(node) {
      const name = node
        .descendantsOfType('variable_declaration')[0]
        ?.namedChildren.find(each => each?.type === 'identifier')
      return node.parent?.type === 'source_file' && name
        ? { kind: 'variable', name: name.text, isPublic: isOpen(node) }
        : undefined
    },
    type_alias(node) {
      const name = node.childForFieldName('type')?.text
      return name === undefined ? undefined : { kind: 'type', name, isPublic: isOpen(node) }
    },
  },
  tests: { annotation: node => /^@(\w+\.)*(Test|ParameterizedTest|RepeatedTest|TestFactory)\b/.test(node.text) },
}

const classKind = (node: Node) =>
  node.children.some(child => child?.type === 'interface')
    ? 'interface'
    : /\benum\b/.test(modifiers(node))
      ? 'enum'
      : 'class'
