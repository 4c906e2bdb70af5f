import type { Node } from 'web-tree-sitter'
import { childOf, childrenOf, field, operatorCall, textOf } from '../grammar/describe.ts'
import type { ByType, OperatorCall } from '../grammar/grammar-language.ts'

const BINARY: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'truediv',
  '//': 'floordiv',
  '%': 'mod',
  '**': 'pow',
  '@': 'matmul',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'lshift',
  '>>': 'rshift',
}

const UNARY: Readonly<Record<string, string>> = { '-': '__neg__', '+': '__pos__', '~': '__invert__' }

/** Methods tried on the left operand, and then on the right one. */
const COMPARED: Readonly<Record<string, readonly [own: readonly string[], reflected: string]>> = {
  '<': [['__lt__'], '__gt__'],
  '>': [['__gt__'], '__lt__'],
  '<=': [['__le__'], '__ge__'],
  '>=': [['__ge__'], '__le__'],
  '==': [['__eq__'], '__eq__'],
  '!=': [['__ne__', '__eq__'], '__ne__'],
}

/** Built-in functions that call a method of their argument: the first that exists of each list. */
const BUILTINS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  abs: [['__abs__']],
  aiter: [['__aiter__']],
  anext: [['__anext__']],
  bool: [['__bool__', '__len__']],
  bytes: [['__bytes__']],
  complex: [['__complex__', '__float__']],
  dir: [['__dir__']],
  divmod: [['__divmod__']],
  float: [['__float__', '__index__']],
  format: [['__format__', '__str__', '__repr__']],
  hash: [['__hash__']],
  int: [['__int__', '__index__', '__trunc__']],
  iter: [['__iter__']],
  len: [['__len__']],
  next: [['__next__']],
  pow: [['__pow__']],
  print: [['__str__', '__repr__']],
  repr: [['__repr__']],
  reversed: [
    ['__reversed__', '__len__'],
    ['__reversed__', '__getitem__'],
  ],
  round: [['__round__']],
  str: [['__str__', '__repr__']],
}

/** Built-in functions that iterate over their argument. */
const ITERATING = /^(all|any|dict|enumerate|filter|frozenset|list|map|max|min|set|sorted|sum|tuple|zip)$/
/** Those that do so with each of their arguments. */
const WITH_EACH = /^(filter|map|print|zip)$/
const LITERAL = /^(integer|float|string|concatenated_string|list|tuple|dictionary|set|true|false)$/
const TRUTH = ['__bool__', '__len__']
const BRACKETS = ['__getitem__', '__setitem__', '__delitem__']
const PAIRS = ['__enter__', '__exit__', '__aenter__', '__aexit__', '__aiter__', '__anext__']

/** Every method that is called implicitly; for others nothing is known. */
export const CALLED_BY_OPERATORS: ReadonlySet<string> = new Set([
  ...Object.values(BUILTINS).flat(2),
  ...Object.values(BINARY).flatMap(name => [`__${name}__`, `__r${name}__`, `__i${name}__`]),
  ...Object.values(COMPARED).flat(2),
  ...Object.values(UNARY),
  ...BRACKETS,
  ...PAIRS,
  '__await__',
  '__call__',
  '__contains__',
])

/** Protocol methods that Python calls: for operators, loops, `with`, brackets, truth tests and built-in functions. */
export const pythonOperators: ByType<readonly OperatorCall[]> = {
  binary_operator(node) {
    const name = BINARY[textOf(node, 'operator')]
    const [leftSide, right] = [field(node, 'left'), field(node, 'right')]
    if (name === undefined || !leftSide) return []
    if (LITERAL.test(leftSide.type)) return operatorCall(right, [`__r${name}__`], 1)
    return [...operatorCall(leftSide, [`__${name}__`], 1), ...reflectedCalls(right, `__r${name}__`)]
  },
  augmented_assignment(node) {
    const name = BINARY[textOf(node, 'operator').slice(0, -1)]
    if (name === undefined) return []
    const leftCalls = operatorCall(field(node, 'left'), [`__i${name}__`, `__${name}__`], 1)
    return [...leftCalls, ...reflectedCalls(field(node, 'right'), `__r${name}__`)]
  },
  unary_operator(node) {
    const name = UNARY[textOf(node, 'operator')]
    return name === undefined ? [] : operatorCall(field(node, 'argument'), [name], 0)
  },
  comparison_operator(node) {
    const operands = childrenOf(node)
    const operators = node.childrenForFieldName('operators').map(each => each?.text.replaceAll(/\s+/g, ' ') ?? '')
    return operators.flatMap((operator, at) => {
      const right = operands[at + 1]
      if (/^(not )?in$/.test(operator)) return iterating(right, ['__contains__', '__iter__', '__getitem__'], 1)
      const [ownMethods, other] = COMPARED[operator] ?? []
      return ownMethods && other !== undefined
        ? [...operatorCall(operands[at], ownMethods, 1), ...reflectedCalls(right, other)]
        : []
    })
  },
  dictionary: node => childrenOf(node).flatMap(each => (each.type === 'pair' ? hashCalls(field(each, 'key')) : [])),
  dictionary_comprehension: node => {
    const pair = childOf(node, 'pair')
    return pair ? hashCalls(field(pair, 'key')) : []
  },
  set: node => childrenOf(node).flatMap(each => (/splat|comment/.test(each.type) ? [] : hashCalls(each))),
  set_comprehension: node => hashCalls(field(node, 'body')),
  not_operator(node) {
    const argument = field(node, 'argument')
    return argument && COMPOSED.test(argument.type) ? truthOf(argument) : operatorCall(argument, TRUTH, 0)
  },
  if_statement: conditionCalls,
  elif_clause: conditionCalls,
  while_statement: conditionCalls,
  boolean_operator: node => truthOf(field(node, 'left')),
  conditional_expression: node => truthOf(expressionsOf(node)[1]),
  if_clause: node => truthOf(expressionsOf(node)[0]),
  assert_statement: node => truthOf(expressionsOf(node)[0]),
  subscript(node) {
    const { parent } = node
    const of = field(node, 'value')
    const isTarget = parent && field(parent, 'left')?.id === node.id
    const read = operatorCall(of, ['__getitem__'], 1)
    const setCalls = operatorCall(of, ['__setitem__'], 2)
    if (isTarget && parent.type === 'assignment') return setCalls
    if (isTarget && parent.type === 'augmented_assignment') return [...read, ...setCalls]
    return parent?.type === 'delete_statement' ? operatorCall(of, ['__delitem__'], 1) : read
  },
  for_statement: loopCalls,
  for_in_clause: loopCalls,
  list_splat: node => iterating(childrenOf(node)[0]),
  dictionary_splat: node => [
    ...iterating(childrenOf(node)[0]),
    ...operatorCall(childrenOf(node)[0], ['__getitem__'], 1),
  ],
  assignment: node =>
    /^(pattern_list|tuple_pattern|list_pattern)$/.test(field(node, 'left')?.type ?? '')
      ? iterating(field(node, 'right'))
      : [],
  yield: node => (/^yield\s+from\b/.test(node.text) ? iterating(childrenOf(node)[0]) : []),
  with_item(node) {
    const value = field(node, 'value')
    const of = value?.type === 'as_pattern' ? childrenOf(value)[0] : value
    const isAsync = node.parent?.parent?.text.startsWith('async') ?? false
    const names = isAsync ? ['__aenter__', '__aexit__'] : ['__enter__', '__exit__']
    return names.flatMap((name, at) => operatorCall(of, [name], at === 0 ? 0 : 3))
  },
  await: node => operatorCall(childrenOf(node)[0], ['__await__'], 0),
  interpolation: node => operatorCall(childrenOf(node)[0], ['__format__', '__str__', '__repr__'], -1),
  call(node) {
    const callee = field(node, 'function')
    const name = callee?.type === 'identifier' ? callee.text : ''
    const list = childOf(node, 'argument_list')
    const all = list ? childrenOf(list).filter(({ type }) => !/comment|keyword|splat/.test(type)) : []
    const operands = WITH_EACH.test(name) ? all : all.slice(0, 1)
    if (ITERATING.test(name)) return operands.flatMap(each => iterating(each))
    const methodNames = Object.hasOwn(BUILTINS, name) ? (BUILTINS[name] ?? []) : []
    return operands.flatMap(each => methodNames.flatMap(names => operatorCall(each, names, -1)))
  },
}

function conditionCalls(node: Node): readonly OperatorCall[] {
  return truthOf(field(node, 'condition'))
}

const COMPOSED = /^(parenthesized_expression|boolean_operator|conditional_expression|named_expression)$/

/** The values whose truth decides that of an expression; what `and` and `or` test themselves is known from them. */
function truthOf(of: Node | undefined): readonly OperatorCall[] {
  switch (of?.type) {
    case 'parenthesized_expression':
      return truthOf(expressionsOf(of)[0])
    case 'boolean_operator':
      return truthOf(field(of, 'right'))
    case 'named_expression':
      return truthOf(field(of, 'value'))
    case 'conditional_expression':
      return [0, 2].flatMap(at => truthOf(expressionsOf(of)[at]))
    case 'identifier':
    case 'attribute':
    case 'call':
    case 'subscript':
    case 'await':
      return operatorCall(of, TRUTH, 0)
    default:
      return []
  }
}

const expressionsOf = (node: Node): readonly Node[] => childrenOf(node).filter(({ type }) => type !== 'comment')

function loopCalls(node: Node): readonly OperatorCall[] {
  const isAsync = node.text.startsWith('async')
  return isAsync ? iterating(field(node, 'right'), ['__aiter__'], 0, '__anext__') : iterating(field(node, 'right'))
}

const iterating = (
  of: Node | undefined,
  names: readonly string[] = ['__iter__'],
  count = 0,
  next = '__next__',
): readonly OperatorCall[] => operatorCall(of, names, count).map(each => ({ ...each, afterwards: [next] }))

/** A key of a dictionary, or an element of a set. */
const hashCalls = (of: Node | undefined): readonly OperatorCall[] =>
  of && LITERAL.test(of.type) ? [] : operatorCall(of, ['__hash__'], 0)

/** The method tried on the right operand if the left one has none. */
const reflectedCalls = (of: Node | undefined, name: string): readonly OperatorCall[] =>
  operatorCall(of, [name], 1).map(each => ({ ...each, isReflected: true }))
