import type { CallExpression, NewExpression, Node } from 'oxc-parser'
import type { Value } from '../file-model/file-model.ts'
import { importHere } from './declare-imports.ts'
import { dottedName, requiredBy, tableOf } from './names.ts'
import { addNamed, type Place, type Reading } from './reading.ts'
import { isFunction, lazily, type Binding, type Scope } from './scope.ts'
import { calleeOf, typeOf, valueOf } from './value-of.ts'

/** A call may be a test, request a module, and pass functions. */
export function declareCall(reading: Reading, node: CallExpression, at: Place): void {
  const { callee, typeArguments } = node
  if (reading.watchers.length > 0) {
    const name = dottedName(callee)
    for (const each of reading.watchers) each.call?.(node, at, name)
  }
  if (reading.meaning) {
    handOver(reading, node, at, typeArguments?.params ?? [], () => calleeOf(node, at.scope))
    const isRequire = callee.type === 'Identifier' && callee.name === 'require' && node.arguments.length === 1
    const requiredModule = isRequire ? requiredBy(node) : undefined
    if (requiredModule !== undefined) importHere(reading, node, requiredModule, '=')
  }
  const title = reading.isTest ? testTitle(node) : undefined
  if (title === undefined) return walkCall(reading, node, at)
  const testSymbol = { name: title, kind: 'test', nameAt: node.start, body: node.arguments[1] } as const
  const number = addNamed(reading, node, at, undefined, testSymbol)
  walkCall(reading, node, { scope: at.scope, parent: number, inFunction: true })
}

export function declareNew(reading: Reading, node: NewExpression, at: Place): void {
  if (reading.meaning)
    handOver(reading, node, at, [], () => {
      const classValue = valueOf(node.callee, at.scope)
      return classValue && ['member', ['instance', classValue], 'constructor']
    })
  walkCall(reading, node, at)
}

function walkCall(reading: Reading, node: CallExpression | NewExpression, at: Place): void {
  reading.walk(node.callee, at)
  if (node.typeArguments) reading.walk(node.typeArguments, at)
  for (const each of node.arguments) reading.walk(each, at)
}

/** Records which calls functions are passed to, and with which types. */
function handOver(
  { handedTo }: Reading,
  { arguments: args }: CallExpression | NewExpression,
  { scope }: Place,
  types: readonly Node[],
  find: Binding,
): void {
  const callee = lazily(find)
  for (const [argument, each] of args.entries())
    if (isFunction(each)) handedTo.set(each, { callee, argument, told: () => toldBy(each.params.length, types, scope) })
}

/** `dual<A, B>(2, (self, that) => …)`: the last function type with this many parameters. */
const toldBy = (count: number, types: readonly Node[], scope: Scope): Value | undefined =>
  types.map(type => typeOf(type, scope)).findLast(each => each?.[0] === 'function' && each.length === count + 2)

const TEST =
  /^(it|test|specify|fit|xit|Deno\.test)(\.(only|skip|concurrent|sequential|fails|todo|each|for|serial|failing))*$/

/** The title of a test call. */
function testTitle(node: Extract<Node, { type: 'CallExpression' }>): string | undefined {
  const [title] = node.arguments
  const name = dottedName(tableOf(node.callee))
  if (name === undefined || !TEST.test(name) || node.arguments.length < 2) return undefined
  if (title?.type === 'Literal' && typeof title.value === 'string') return title.value
  return title?.type === 'TemplateLiteral' ? title.quasis.map(each => each.value.raw).join('${…}') : undefined
}
