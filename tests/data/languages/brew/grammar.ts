import type { Node } from 'web-tree-sitter'
import { declares, field } from '../grammar/describe.ts'
import type { Expression, GrammarLanguage } from '../grammar/grammar-language.ts'

const word = ({ text }: Node): Expression => ({ is: 'name', name: text })

/** `stir() { pour milk }` declares a step, and `pour milk` calls one. */
export const brew: GrammarLanguage = {
  grammar: '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm',
  declarations: { function_definition: declares('function') },
  imports: {},
  parameters: () => undefined,
  supertypes: () => [],
  scopes: new Set(['function_definition']),
  variables: {},
  calls: {
    command(node) {
      const callee = field(node, 'name')
      return callee && { is: 'call', callee, count: -1 }
    },
  },
  expressions: { command_name: word, word },
  type: () => undefined,
}
