import type { Node } from 'web-tree-sitter'
import { childrenOf, field, operatorCall } from '../grammar/describe.ts'
import type { GrammarLanguage, OperatorCall } from '../grammar/language.ts'
import { nameIn, ownerOf } from './grammar-usage.ts'
import type { Owner } from './usage.ts'

/** A place where Python calls a method implicitly: `for x in a` calls `a.__iter__`. */
export interface Operation {
  /** The called method; `getattr` for an attribute with a computed name. */
  readonly calls: string
  /** It is not called if the class has one of these, which come first. */
  readonly unless: readonly string[]
  readonly at: number
  /** Position of the name whose type (with `isResult`, whose result) has the method; -1 if there is none. */
  readonly receiver: number
  readonly isResult: boolean
  readonly by?: Owner
}

const LITERAL =
  /^(string|integer|float|list|dictionary|set|tuple|true|false|none|concatenated_string|lambda|generator_expression|\w+_comprehension|comparison_operator|not_operator)$/

/** The operations in a Python file that may call a method. */
export function operationsIn(root: Node, rules: GrammarLanguage, wanted: string): readonly Operation[] {
  const found: Operation[] = []
  const open: Node[] = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    open.push(...childrenOf(node).toReversed())
    for (const call of callsAt(node, rules)) {
      const unless = LITERAL.test(call.of.type) ? undefined : namesBefore(wanted, call)
      if (unless) found.push(operation(call.of, unless))
    }
  }
  return found

  function operation(of: Node, unless: readonly string[]): Operation {
    const isResult = of.type === 'call'
    const by = ownerOf(of, rules)
    const receiver = nameIn(isResult ? (field(of, 'function') ?? of) : of)
    return { calls: wanted, unless, at: of.startIndex, receiver, isResult, ...(by && { by }) }
  }
}

/** The methods tried before this one; undefined if it is not called. */
function namesBefore(wanted: string, { names, afterwards = [] }: OperatorCall): readonly string[] | undefined {
  // An iterator is often its own iterable: calls on the iterator count as calls on the iterated value.
  const at = afterwards.includes(wanted) ? names.findIndex(name => name.endsWith('iter__')) : names.indexOf(wanted)
  return at < 0 ? undefined : names.slice(0, at)
}

function callsAt(node: Node, { operators = {} }: GrammarLanguage): readonly OperatorCall[] {
  const known = (Object.hasOwn(operators, node.type) && operators[node.type]?.(node)) || []
  return node.type === 'call' && known.length === 0 ? byCall(node) : known
}

function byCall(node: Node): readonly OperatorCall[] {
  const callee = field(node, 'function')
  if (callee?.text === 'super') return []
  if (callee?.text !== 'getattr') return operatorCall(callee, ['__call__'], -1)
  const [of, name] = childrenOf(field(node, 'arguments') ?? node).filter(({ type }) => type !== 'comment')
  return name?.type === 'string' ? [] : operatorCall(of, ['getattr'], -1)
}
