import type { CallExpression, NewExpression, Node } from 'oxc-parser'
import type { Value } from '../file-model.ts'
import { importHere } from './declare-imports.ts'
import { dottedName, requiredBy } from './names.ts'
import { addSymbol, type Place, type Reading } from './reading.ts'
import { isFunction, lazily, type Binding } from './scope.ts'
import { testTitle } from './test-title.ts'
import { calleeOf, typeOf, valueOf } from './value-of.ts'

/** A call may be a test of a test runner, ask for a module, and hand functions over. */
export function declareCall(reading: Reading, node: CallExpression, at: Place): void {
  const { callee, typeArguments } = node
  if (reading.watchers.length > 0) {
    const name = dottedName(callee)
    for (const each of reading.watchers) each.call?.(node, at, name)
  }
  if (reading.meaning) {
    const types = typeArguments?.params ?? []
    const told = (each: Node) =>
      isFunction(each)
        ? () =>
            toldBy(
              each.params.length,
              types.map(type => typeOf(type, at.scope)),
            )
        : undefined
    handOver(
      reading,
      node,
      lazily(() => calleeOf(node, at.scope)),
      told,
    )
    const isRequire = callee.type === 'Identifier' && callee.name === 'require' && node.arguments.length === 1
    const required = isRequire ? requiredBy(node) : undefined
    if (required !== undefined) importHere(reading, node, required, '=')
  }
  const title = reading.isTest ? testTitle(node) : undefined
  if (title === undefined) return walkCall(reading, node, at)
  const body = node.arguments[1]
  const number = addSymbol(reading, {
    name: title,
    kind: 'test',
    parent: at.parent,
    whole: node,
    nameAt: node.start,
    body,
  })
  reading.symbolOf.set(node, number)
  walkCall(reading, node, { scope: at.scope, parent: number, inFunction: true })
}

export function declareNew(reading: Reading, node: NewExpression, at: Place): void {
  const { callee } = node
  if (reading.meaning)
    handOver(
      reading,
      node,
      lazily(() => {
        const made = valueOf(callee, at.scope)
        return made && ['member', ['instance', made], 'constructor']
      }),
    )
  walkCall(reading, node, at)
}

function walkCall(reading: Reading, node: CallExpression | NewExpression, at: Place): void {
  reading.walk(node.callee, at)
  if (node.typeArguments) reading.walk(node.typeArguments, at)
  for (const each of node.arguments) reading.walk(each, at)
}

function handOver(
  reading: Reading,
  { arguments: args }: CallExpression | NewExpression,
  callee: Binding,
  told?: (argument: Node) => Binding | undefined,
): void {
  for (const [argument, each] of args.entries()) {
    if (!isFunction(each)) continue
    const type = told?.(each)
    reading.handedTo.set(each, { callee, argument, ...(type && { told: type }) })
  }
}

/** `dual<A, B>(2, (self, that) => …)`: the last of the types that are functions of as many parameters. */
const toldBy = (count: number, types: readonly (Value | undefined)[]): Value | undefined =>
  types.findLast(each => each?.[0] === 'function' && each.length === count + 2)
