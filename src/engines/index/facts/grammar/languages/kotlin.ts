import type { Node } from 'web-tree-sitter'
import { declares, functionIn, modifiers, type LanguageRules, type Named } from '../rules.ts'
import { endedMembers } from './kotlin-members.ts'

/** What says nothing is public, and what is internal is there for the other files of the module. */
const isOpen = (node: Node): boolean => !/\bprivate\b/.test(modifiers(node))

export const kotlin: LanguageRules = {
  grammar: '@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm',
  easier: endedMembers,
  symbols: {
    class_declaration: node => declares(classKind(node), isOpen)(node),
    object_declaration: declares('class', isOpen),
    companion_object: node => ({
      kind: 'class',
      name: node.childForFieldName('name')?.text ?? 'Companion',
      isPublic: isOpen(node),
    }),
    function_declaration: node => functionIn(BODIES, isOpen)(node) ?? extension(node),
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

const BODIES = new Set(['class_body', 'enum_class_body'])

/** The tree takes the name of `fun String.shout()` for the last part of the type. */
function extension(node: Node): Named | undefined {
  const type = node.namedChildren.find(child => child?.type === 'user_type')
  const name = type?.namedChildren.at(-1)
  if (name?.type !== 'identifier') return undefined
  const kind = BODIES.has(node.parent?.type ?? '') ? 'method' : 'function'
  return { kind, name: name.text, isPublic: isOpen(node) }
}

const classKind = (node: Node) =>
  node.children.some(child => child?.type === 'interface')
    ? 'interface'
    : /\benum\b/.test(modifiers(node))
      ? 'enum'
      : 'class'
