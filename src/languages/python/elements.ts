import type { Node } from 'web-tree-sitter'
import { childOf, childrenOf, field, textOf } from '../grammar/describe.ts'
import type { ElementCall } from '../grammar/grammar-language.ts'

const EQUAL = ['__eq__', '__ne__']
const ORDERED = ['__lt__', '__gt__']
const KEYS = ['__hash__', '__eq__']
/** A container shows its elements by this alone. */
const IN_CONTAINER = ['__repr__']
const SHOWN = ['__repr__', '__str__', '__format__']
const COMPARED = [...ORDERED, '__le__', '__ge__', '__eq__']
const ADDED = ['__add__', '__radd__']

/** Functions by their names, also those of modules. */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  all: ['__bool__', '__len__'],
  any: ['__bool__', '__len__'],
  accumulate: ADDED,
  ascii: IN_CONTAINER,
  Counter: KEYS,
  dict: KEYS,
  format: IN_CONTAINER,
  frozenset: KEYS,
  fromkeys: KEYS,
  groupby: EQUAL,
  hash: ['__hash__'],
  max: ORDERED,
  min: ORDERED,
  print: IN_CONTAINER,
  repr: IN_CONTAINER,
  set: KEYS,
  sorted: ORDERED,
  str: IN_CONTAINER,
  sum: ADDED,
}

/** Methods of containers, texts, loggers and tests; those of `bisect` and `heapq` too. */
const METHODS: readonly (readonly [method: RegExp, names: readonly string[], withObject?: true])[] = [
  [/^sort$/, ORDERED, true],
  [/^(index|count|remove)$/, EQUAL, true],
  [/^(add|discard|setdefault|get|pop|update|union|intersection|difference|fromkeys)$/, KEYS],
  [/^(bisect|bisect_left|bisect_right|insort|insort_left|insort_right)$/, ORDERED],
  [/^(heapify|heappop|heappush|heappushpop|heapreplace|merge|nlargest|nsmallest)$/, ORDERED],
  [/^(format|debug|info|warning|error|exception|critical|log|write)$/, SHOWN],
  [/^assert(Equal|NotEqual|In|NotIn|CountEqual|\w+Equal)$/, EQUAL],
  [/^assert(Less|Greater)(Equal)?$/, COMPARED],
  [/^assert(True|False)$/, ['__bool__', '__len__']],
]

/** Built-in functions and operators that are handed on, to be called on each element. */
const HANDED: Readonly<Record<string, readonly string[]>> = {
  abs: ['__abs__'],
  bool: ['__bool__', '__len__'],
  float: ['__float__', '__index__'],
  hash: ['__hash__'],
  int: ['__int__', '__index__', '__trunc__'],
  iter: ['__iter__'],
  len: ['__len__'],
  list: ['__iter__'],
  next: ['__next__'],
  repr: ['__repr__'],
  round: ['__round__'],
  str: ['__str__', '__repr__'],
  tuple: ['__iter__'],
}

/** Methods that library code calls on values that it is given, and on their elements. */
export function elementCalls(node: Node): readonly ElementCall[] {
  switch (node.type) {
    case 'call':
      return ofCall(node)
    case 'comparison_operator':
      return comparisonCalls(node)
    case 'interpolation':
      return childrenOf(node)
        .slice(0, 1)
        .map(of => ({ of, names: IN_CONTAINER, isContainer: true }))
    case 'binary_operator': {
      const right = field(node, 'right')
      const isFormat = textOf(node, 'operator') === '%' && /string/.test(field(node, 'left')?.type ?? '')
      return isFormat && right ? [{ of: right, names: SHOWN }] : []
    }
    default:
      return []
  }
}

function ofCall(node: Node): readonly ElementCall[] {
  const callee = field(node, 'function')
  const isMethod = callee?.type === 'attribute'
  const name = isMethod ? textOf(callee, 'attribute') : callee?.type === 'identifier' ? callee.text : ''
  const list = childOf(node, 'argument_list')
  const all = list ? childrenOf(list).filter(({ type }) => !/comment|keyword/.test(type)) : []
  const calls: ElementCall[] = []
  // With several arguments, these compare the arguments.
  const isOfAll = /^(min|max)$/.test(name) && all.length > 1
  if (Object.hasOwn(FUNCTIONS, name)) add(all, FUNCTIONS[name], !isOfAll)
  for (const [method, names, withObject] of METHODS) {
    if (!method.test(name)) continue
    const object = withObject && isMethod ? field(callee, 'object') : undefined
    add(object ? [object, ...all] : all, names)
  }
  const argumentNames = list ? childrenOf(list).flatMap(each => namesOfHanded(each)) : []
  if (argumentNames.length > 0)
    add(
      all.filter(each => namesOfHanded(each).length === 0),
      argumentNames,
      true,
    )
  return calls

  function add(given: readonly Node[], names: readonly string[] = [], isContainer = false): void {
    for (const of of given) {
      // `print(*xs)` shows each of them on its own.
      const elementNames = of.type === 'list_splat' && names === IN_CONTAINER ? SHOWN : names
      calls.push({ of, names: elementNames, ...(isContainer && { isContainer }) })
    }
  }
}

/** `len`, `key=len`, `operator.add`. */
function namesOfHanded(given: Node): readonly string[] {
  const value = given.type === 'keyword_argument' ? field(given, 'value') : given
  if (value?.type === 'identifier') return Object.hasOwn(HANDED, value.text) ? (HANDED[value.text] ?? []) : []
  if (value?.type !== 'attribute' || textOf(value, 'object') !== 'operator') return []
  const plain = textOf(value, 'attribute').replaceAll('_', '')
  return [`__${plain}__`, `__r${plain}__`]
}

/** Containers compare their elements. */
function comparisonCalls(node: Node): readonly ElementCall[] {
  const operators = node.childrenForFieldName('operators').map(each => each?.text.replaceAll(/\s+/g, ' ') ?? '')
  const operands = childrenOf(node)
  return operators.flatMap((operator, at): readonly ElementCall[] => {
    const [leftSide, right] = [operands[at], operands[at + 1]]
    if (!leftSide || !right) return []
    const isIn = /^(?:not )?in$/.test(operator)
    const names = isIn ? KEYS : /^[!=]=$/.test(operator) ? EQUAL : /^[<>]=?$/.test(operator) ? COMPARED : []
    const both: readonly ElementCall[] = [
      { of: leftSide, names, ...(!isIn && { isContainer: true as const }) },
      { of: right, names, isContainer: true },
    ]
    return names.length > 0 ? both : []
  })
}
