import type { Node } from 'web-tree-sitter'
import { childOf, childrenOf, field, type Sign } from '../syntax.ts'

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

/** What Kotlin calls by convention: operators, brackets, `in`, loops, destructuring and delegation. */
export function kotlinSigns(node: Node): readonly Sign[] {
  switch (node.type) {
    case 'binary_expression': {
      const [left, right] = [field(node, 'left'), field(node, 'right')]
      const name = BINARY[field(node, 'operator')?.text ?? '']
      if (!left || !right || name === undefined || (name === 'plus' && left.type === 'string_literal')) return []
      return name === 'equals' && [left, right].some(({ text }) => text === 'null') ? [] : called(left, [name], 1)
    }
    case 'unary_expression': {
      const name = UNARY[field(node, 'operator')?.text ?? '']
      return name === undefined ? [] : called(field(node, 'argument'), [name], 0)
    }
    case 'range_expression':
      return called(
        childrenOf(node)[0],
        [node.children.some(each => each?.type === '..<') ? 'rangeUntil' : 'rangeTo'],
        1,
      )
    case 'in_expression':
      return called(childrenOf(node)[1], ['contains'], 1)
    case 'range_test':
      return called(childrenOf(node)[0], ['contains'], 1)
    case 'index_expression':
      return isAssigned(node) ? [] : called(childrenOf(node)[0], ['get'], childrenOf(node).length - 1)
    case 'assignment':
      return assigned(node)
    case 'for_statement': {
      const [, of] = childrenOf(node)
      return called(of, ['iterator'], 0)
    }
    case 'property_declaration':
      return [...taken(node), ...delegated(node)]
    default:
      return []
  }
}

const called = (of: Node | undefined, names: readonly string[], count: number): readonly Sign[] =>
  of ? [{ of, names, count }] : []

/** `a[1] = 2` calls only `set`. */
const isAssigned = (node: Node): boolean =>
  node.parent?.type === 'assignment' && childrenOf(node.parent)[0]?.id === node.id && signOf(node.parent) === '='

const signOf = (assignment: Node): string =>
  assignment.children.find(child => child && !child.isNamed && child.type.endsWith('='))?.type ?? '='

function assigned(node: Node): readonly Sign[] {
  const [left] = childrenOf(node)
  const sign = signOf(node)
  const [of, ...indexes] = left?.type === 'index_expression' ? childrenOf(left) : []
  const name = sign === '=' ? undefined : BINARY[sign.slice(0, -1)]
  return [
    ...(name === undefined ? [] : called(left, [`${name}Assign`, name], 1)),
    ...called(of, ['set'], indexes.length + 1),
  ]
}

/** `val (a, b) = pair` */
function taken(node: Node): readonly Sign[] {
  const several = childOf(node, 'multi_variable_declaration')
  const of = several && childrenOf(node).at(-1)
  if (!several || of?.id === several.id) return []
  return childrenOf(several).flatMap((each, at) => (each.text === '_' ? [] : called(of, [`component${at + 1}`], 0)))
}

function delegated(node: Node): readonly Sign[] {
  const of = childrenOf(childOf(node, 'property_delegate') ?? node)[0]
  if (!of || !childOf(node, 'property_delegate')) return []
  const isVariable = node.children.some(child => child?.type === 'var')
  return [
    ...called(of, ['provideDelegate'], 2),
    ...called(of, ['getValue'], 2),
    ...(isVariable ? called(of, ['setValue'], 3) : []),
  ]
}
