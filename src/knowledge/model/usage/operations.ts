import type { Node } from 'web-tree-sitter'
import { childrenOf, field, operatorCall } from '../../../languages/grammar/describe.ts'
import type { GrammarLanguage, OperatorCall } from '../../../languages/grammar/grammar-language.ts'
import { nameIn, ownerOf } from './grammar-usage.ts'
import type { Owner } from '../../../languages/file-model/usage.ts'

/** A place where the language calls a method implicitly: `for x in a` calls `a.__iter__`. */
export interface Operation {
  /** The called method; `getattr` for an attribute with a computed name. */
  readonly calls: string
  /** It is not called if the class has one of these, which come first. */
  readonly unless: readonly string[]
  readonly at: number
  /** Position of the name whose type (with `isResult`, whose result) has the method; -1 if there is none. */
  readonly receiver: number
  readonly isResult: boolean
  /** Library code calls it on the elements of one of these names; unless it is a container, also on itself. */
  readonly elements?: readonly number[]
  readonly isContainer?: true
  readonly by?: Owner
}

const LITERAL =
  /^(string|integer|float|list|dictionary|set|tuple|true|false|none|concatenated_string|lambda|generator_expression|\w+_comprehension|comparison_operator|not_operator)$/

/** The operations in a file that may call a method. */
export function operationsIn(root: Node, rules: GrammarLanguage, method: string): readonly Operation[] {
  const operations: Operation[] = []
  const open: Node[] = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    open.push(...childrenOf(node).toReversed())
    for (const call of callsAt(node, rules)) {
      const unless = LITERAL.test(call.of.type) ? undefined : namesBefore(method, call)
      if (unless) operations.push(operation(call.of, unless))
    }
    for (const { of, names, isContainer } of rules.elements?.(node) ?? []) {
      const elements = names.includes(method) ? namesIn(of) : []
      if (elements.length > 0) operations.push({ ...operation(of, []), elements, ...(isContainer && { isContainer }) })
    }
  }
  return operations

  function operation(of: Node, unless: readonly string[]): Operation {
    const isResult = of.type === 'call'
    const by = ownerOf(of, rules)
    const receiver = nameIn(isResult ? (field(of, 'function') ?? of) : of)
    return { calls: method, unless, at: of.startIndex, receiver, isResult, ...(by && { by }) }
  }
}

const MOST_NAMES = 8

/** The names in an expression that its elements may come from. */
function namesIn(of: Node): readonly number[] {
  const offsets: number[] = []
  const open: Node[] = [of]
  for (let node = open.pop(); node && offsets.length < MOST_NAMES; node = open.pop())
    if (node.type === 'identifier') offsets.push(node.startIndex)
    else open.push(...sourcesOf(node).toReversed())
  return offsets
}

/** The parts of an expression that its value comes from: of `a.b` the member, of a call what is called. */
function sourcesOf(node: Node): readonly Node[] {
  if (NO_ELEMENTS.test(node.type)) return []
  const part = PARTS.map(each => field(node, each)).find(each => each !== undefined)
  return part ? [part] : childrenOf(node)
}

const NO_ELEMENTS = /^(string|concatenated_string|lambda|comparison_operator|not_operator|keyword_argument)$/
const PARTS = ['attribute', 'function', 'body', 'value']

/** The methods tried before this one; undefined if it is not called. */
function namesBefore(wanted: string, { names, afterwards = [] }: OperatorCall): readonly string[] | undefined {
  // An iterator is often its own iterable: calls on the iterator count as calls on the iterated value.
  const at = afterwards.includes(wanted) ? names.findIndex(name => name.endsWith('iter__')) : names.indexOf(wanted)
  return at < 0 ? undefined : names.slice(0, at)
}

function callsAt(node: Node, { operators = {} }: GrammarLanguage): readonly OperatorCall[] {
  const operatorCalls = (Object.hasOwn(operators, node.type) && operators[node.type]?.(node)) || []
  return node.type === 'call' && operatorCalls.length === 0 ? byCall(node) : operatorCalls
}

function byCall(node: Node): readonly OperatorCall[] {
  const callee = field(node, 'function')
  if (callee?.text === 'super') return []
  if (callee?.text !== 'getattr') return operatorCall(callee, ['__call__'], -1)
  const [of, name] = childrenOf(field(node, 'arguments') ?? node).filter(({ type }) => type !== 'comment')
  return name?.type === 'string' ? [] : operatorCall(of, ['getattr'], -1)
}
