import type { Node } from 'oxc-parser'
import type { DeclaredValues } from './declared-values.ts'

/** The names that an object may be; none for a list, a number or a text. */
export function receiversOf(node: Node, values?: DeclaredValues): readonly number[] {
  switch (node.type) {
    case 'Identifier':
      return values?.is(node.name, 'text') ? [] : [node.start]
    case 'ThisExpression':
      return [node.start]
    case 'MemberExpression':
      return [node.computed || node.property.type === 'PrivateIdentifier' ? -1 : node.property.start]
    case 'CallExpression':
      return calledName(node.callee)
    case 'NewExpression':
      return receiversOf(node.callee, values)
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'TSInstantiationExpression':
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return receiversOf(node.expression, values)
    case 'AwaitExpression':
      return receiversOf(node.argument, values)
    case 'ConditionalExpression':
      return [...receiversOf(node.consequent, values), ...receiversOf(node.alternate, values)]
    case 'LogicalExpression':
      return [...receiversOf(node.left, values), ...receiversOf(node.right, values)]
    case 'ObjectExpression':
      return [node.start]
    case 'ArrayExpression':
    case 'Literal':
    case 'TemplateLiteral':
    case 'Super':
      return []
    default:
      return [-1]
  }
}

/** A server reports the type of a called name's result. */
function calledName(callee: Node): readonly number[] {
  if (callee.type === 'Identifier') return [callee.start]
  return callee.type === 'MemberExpression' && !callee.computed && callee.property.type === 'Identifier'
    ? [callee.property.start]
    : [-1]
}

/** The name of a value whose type is meant: `typeof tasks`. A type has no names at run time. */
export function typeName(node: Node): number | undefined {
  if (node.type === 'TSTypeQuery') return lastName(node.exprName)
  return node.type === 'TSParenthesizedType' ? typeName(node.typeAnnotation) : undefined
}

const lastName = (node: Node): number | undefined =>
  node.type === 'Identifier' ? node.start : node.type === 'TSQualifiedName' ? node.right.start : undefined
