import type { Node } from 'web-tree-sitter'
import { childOf, childrenOf, field, operatorCall, textOf } from '../grammar/describe.ts'
import type { ByType, OperatorCall } from '../grammar/grammar-language.ts'

const BINARY: Readonly<Record<string, string>> = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'div',
  '%': 'rem',
  '==': 'equals',
  '!=': 'equals',
  '<': 'compareTo',
  '>': 'compareTo',
  '<=': 'compareTo',
  '>=': 'compareTo',
}

const UNARY: Readonly<Record<string, string>> = {
  '+': 'unaryPlus',
  '-': 'unaryMinus',
  '!': 'not',
  '++': 'inc',
  '--': 'dec',
}

/** Calls that Kotlin makes by convention: operators, brackets, `in`, loops, destructuring and delegation. */
export const kotlinOperators: ByType<readonly OperatorCall[]> = {
  binary_expression(node) {
    const [leftSide, right] = [field(node, 'left'), field(node, 'right')]
    const name = BINARY[textOf(node, 'operator')]
    if (!leftSide || !right || name === undefined || (name === 'plus' && leftSide.type === 'string_literal')) return []
    return name === 'equals' && [leftSide, right].some(({ text }) => text === 'null')
      ? []
      : operatorCall(leftSide, [name], 1)
  },
  unary_expression(node) {
    const name = UNARY[textOf(node, 'operator')]
    return name === undefined ? [] : operatorCall(field(node, 'argument'), [name], 0)
  },
  range_expression: node =>
    operatorCall(childrenOf(node)[0], [node.children.some(each => each?.type === '..<') ? 'rangeUntil' : 'rangeTo'], 1),
  in_expression: node => operatorCall(childrenOf(node)[1], ['contains'], 1),
  range_test: node => operatorCall(childrenOf(node)[0], ['contains'], 1),
  index_expression: node =>
    isAssigned(node) ? [] : operatorCall(childrenOf(node)[0], ['get'], childrenOf(node).length - 1),
  assignment: assignmentCalls,
  for_statement: node => operatorCall(childrenOf(node)[1], ['iterator'], 0),
  property_declaration: node => [...destructuringCalls(node), ...delegateCalls(node)],
}

/** `a[1] = 2` calls only `set`. */
const isAssigned = (node: Node): boolean =>
  node.parent?.type === 'assignment' &&
  childrenOf(node.parent)[0]?.id === node.id &&
  assignmentOperator(node.parent) === '='

const assignmentOperator = (assignment: Node): string =>
  assignment.children.find(child => child && !child.isNamed && child.type.endsWith('='))?.type ?? '='

function assignmentCalls(node: Node): readonly OperatorCall[] {
  const [target] = childrenOf(node)
  const operator = assignmentOperator(node)
  const [of, ...indexes] = target?.type === 'index_expression' ? childrenOf(target) : []
  const name = operator === '=' ? undefined : BINARY[operator.slice(0, -1)]
  return [
    ...(name === undefined ? [] : operatorCall(target, [`${name}Assign`, name], 1)),
    ...operatorCall(of, ['set'], indexes.length + 1),
  ]
}

/** `val (a, b) = pair` */
function destructuringCalls(node: Node): readonly OperatorCall[] {
  const several = childOf(node, 'multi_variable_declaration')
  const of = several && childrenOf(node).at(-1)
  if (!several || of?.id === several.id) return []
  return childrenOf(several).flatMap((each, at) =>
    each.text === '_' ? [] : operatorCall(of, [`component${at + 1}`], 0),
  )
}

function delegateCalls(node: Node): readonly OperatorCall[] {
  const of = childrenOf(childOf(node, 'property_delegate') ?? node)[0]
  if (!of || !childOf(node, 'property_delegate')) return []
  const isVariable = node.children.some(child => child?.type === 'var')
  return [
    ...operatorCall(of, ['provideDelegate'], 2),
    ...operatorCall(of, ['getValue'], 2),
    ...(isVariable ? operatorCall(of, ['setValue'], 3) : []),
  ]
}
