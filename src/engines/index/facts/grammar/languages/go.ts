import type { Node } from 'web-tree-sitter'
import { declares, fieldName, type LanguageRules, type Named } from '../rules.ts'

const isCapital = (_node: Node, name: string): boolean => /^\p{Lu}/u.test(name)

export const go: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-go.wasm',
  symbols: {
    function_declaration: declares('function', isCapital),
    method_declaration(node) {
      const method = declares('method', isCapital)(node)
      const type = node.childForFieldName('receiver')?.descendantsOfType('type_identifier')[0]?.text
      return method && { ...method, ...(type !== undefined && { within: [type] }) }
    },
    method_elem: declares('method', isCapital),
    type_spec: node => declares(typeKind(node), isCapital)(node),
    type_alias: declares('type', isCapital),
    const_spec: variables,
    var_spec: variables,
  },
  tests: {
    function_declaration: node =>
      /^(Test|Benchmark|Fuzz|Example)(\P{Ll}|$)/u.test(fieldName(node) ?? '') &&
      /\*testing\.[TBF]\b|^\(\)$/.test(node.childForFieldName('parameters')?.text ?? ''),
  },
}

const typeKind = (node: Node) => {
  const type = node.childForFieldName('type')?.type
  return type === 'interface_type' ? 'interface' : type === 'struct_type' ? 'class' : 'type'
}

function variables(node: Node): readonly Named[] {
  for (let above = node.parent; above; above = above.parent) if (above.type === 'block') return []
  return node
    .childrenForFieldName('name')
    .flatMap(each =>
      each?.type === 'identifier' && each.text !== '_'
        ? { kind: 'variable' as const, name: each.text, isPublic: isCapital(each, each.text) }
        : [],
    )
}
