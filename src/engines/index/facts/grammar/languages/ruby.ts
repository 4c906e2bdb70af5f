import type { Node } from 'web-tree-sitter'
import { declares, type LanguageRules } from '../rules.ts'

const always = (): boolean => true

export const ruby: LanguageRules = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-ruby.wasm',
  symbols: {
    module: declares('module', always),
    class: declares('class', always),
    method: node => declares(isAtTop(node) ? 'function' : 'method', always)(node),
    singleton_method: declares('method', always),
    assignment(node) {
      const left = node.childForFieldName('left')
      return left?.type === 'constant' ? { kind: 'variable', name: left.text, isPublic: true } : undefined
    },
  },
  transparent: new Set(['module']),
  tests: {
    call: node =>
      /^(RSpec\.)?(describe|context|it|specify|feature|scenario|test)$/.test(calledName(node)) &&
      node.childForFieldName('block') !== null,
    superclass: node =>
      /\b(Minitest::(Test|Spec)|(Test::Unit|ActiveSupport|ActionDispatch)::(TestCase|IntegrationTest))\b/.test(
        node.text,
      ),
  },
}

const isAtTop = (node: Node): boolean => node.parent?.type === 'program'

const calledName = (node: Node): string => {
  const receiver = node.childForFieldName('receiver')?.text
  return `${receiver === undefined ? '' : `${receiver}.`}${node.childForFieldName('method')?.text ?? ''}`
}
