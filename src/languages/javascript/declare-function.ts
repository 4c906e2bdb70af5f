import type { Node } from 'oxc-parser'
import { keyName } from './names.ts'
import type { Declaration, Value } from '../file-model/file-model.ts'
import { addFunction, addNamed, openScope, type Place, type Reading } from './reading.ts'
import { lazily, type Binding, type FunctionNode, type Scope } from './scope.ts'
import { bindTypeParameters, typeParameters } from './type-parameters.ts'
import { annotationValue, either, resultOf, valueOf } from './value-of.ts'

/** `function name() {}`; overloads are one symbol. */
export function declareNamedFunction(
  reading: Reading,
  node: Exclude<FunctionNode, { readonly type: 'ArrowFunctionExpression' }>,
  at: Place,
  around: Node | undefined,
): void {
  const { id, body } = node
  const [name, nameAt] = [id?.name ?? 'default', id?.start ?? node.start]
  const later = () => functionFacts(node, at.scope)
  const number = addNamed(reading, node, at, around, { name, kind: 'function', nameAt, body, later }, addFunction)
  const value: Value = ['symbol', number]
  if (id && reading.meaning) at.scope.values.set(id.name, () => value)
  declareFunction(reading, node, { ...at, parent: number })
}

/** Binds the parameters of a function and declares its contents. */
export function declareFunction(reading: Reading, node: FunctionNode, at: Place, self?: Value | null): void {
  for (const each of reading.watchers) each.enter?.(node)
  const scope = reading.meaning ? boundScope(reading, node, at, self) : at.scope
  const within = { scope, parent: at.parent, inFunction: true }
  for (const param of node.params) reading.walk(param, within)
  if (node.typeParameters) reading.walk(node.typeParameters, within)
  if (node.returnType) reading.walk(node.returnType, within)
  if (node.body) reading.walk(node.body, within)
  for (const each of reading.watchers) each.leave?.(node)
}

/** The names inside of a function. */
function boundScope(reading: Reading, node: FunctionNode, at: Place, self?: Value | null): Scope {
  // Arrow functions use the enclosing `this`.
  const selfValue = node.type === 'ArrowFunctionExpression' ? undefined : (self ?? null)
  const [first] = node.params
  const thisType = first?.type === 'Identifier' && first.name === 'this' ? paramType(first, at.scope) : undefined
  const inside = openScope(reading, node, at.scope, true, thisType ?? selfValue)
  const name = node.type === 'FunctionExpression' ? node.id?.name : undefined
  const symbol = reading.symbolOf.get(node)
  if (name !== undefined) inside.values.set(name, () => (symbol === undefined ? undefined : ['symbol', symbol]))
  bindTypeParameters(node.typeParameters, isFurtherHead(reading, symbol) ? undefined : symbol, inside)
  const passingCall = reading.handedTo.get(node)
  for (const [index, param] of node.params.entries())
    bindParam(param, inside, () => {
      const functionType = passingCall?.told()
      const type = functionType?.[0] === 'function' ? functionType[2 + index] : undefined
      if (type && typeof type === 'object') return type
      const to = passingCall?.callee()
      return passingCall && to ? ['handed', to, passingCall.argument, index] : undefined
    })
  return inside
}

/** The type parameters of an overloaded function are those of its first head. */
const isFurtherHead = ({ drafts }: Reading, symbol = -1): boolean => drafts[symbol]?.heads !== undefined

/** The facts of a function besides its name. */
export function functionFacts(node: FunctionNode, scope: Scope): Partial<Declaration> {
  const value = resultOf(node, scope)
  const inside = scope.notes.scopeOf.get(node) ?? scope
  const params = node.params.map(param => paramType(param, inside) ?? null)
  return {
    ...(value && { value }),
    ...(params.some(each => each !== null) && { params }),
    ...typeParameters(node.typeParameters, inside),
  }
}

function bindParam(param: Node, scope: Scope, handed: Binding): void {
  if (param.type === 'TSParameterProperty') return bindParam(param.parameter, scope, handed)
  const inner = param.type === 'RestElement' ? param.argument : param
  bindPattern(inner, scope, () => paramType(param, scope) ?? handed())
}

function paramType(param: Node, scope: Scope): Value | undefined {
  if (Reflect.get(param, 'typeAnnotation')) return annotationValue(param, scope)
  if (param.type === 'TSParameterProperty') return paramType(param.parameter, scope)
  if (param.type !== 'AssignmentPattern') return undefined
  return paramType(param.left, scope) ?? valueOf(param.right, scope)
}

/** Binds the names of a pattern to the parts of a value. */
export function bindPattern(pattern: Node, scope: Scope, find: Binding): void {
  const value = lazily(find)
  switch (pattern.type) {
    case 'Identifier':
      return void scope.values.set(pattern.name, typedBinding(pattern))
    case 'AssignmentPattern':
      return bindPattern(pattern.left, scope, () => either([value(), valueOf(pattern.right, scope)]))
    case 'ObjectPattern': {
      const whole = typedBinding(pattern)
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') {
          bindPattern(property.argument, scope, whole)
          continue
        }
        const name = keyName(property.key, property.computed)
        bindPattern(property.value, scope, () => {
          const object = whole()
          return object && name !== undefined ? ['member', object, name] : undefined
        })
      }
      return
    }
    case 'ArrayPattern':
      for (const element of pattern.elements)
        if (element) bindPattern(element.type === 'RestElement' ? element.argument : element, scope, elementOf(value))
  }

  function typedBinding(named: Extract<Node, { type: 'Identifier' | 'ObjectPattern' }>): Binding {
    return named.typeAnnotation ? lazily(() => annotationValue(named, scope) ?? value()) : value
  }
}

/** An element of a collection. */
export const elementOf = (collection: Binding) => (): Value | undefined => {
  const list = collection()
  return list && ['element', list]
}
