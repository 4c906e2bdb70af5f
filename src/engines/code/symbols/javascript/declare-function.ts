import type { Node } from 'oxc-parser'
import { keyName } from './names.ts'
import type { OwnSymbol, Value } from '../file-code.ts'
import type { Place, Reading } from './reading.ts'
import { lazily, newScope, type Binding, type FunctionNode, type Scope } from './scope.ts'
import { either, resultOf, typeOf, valueOf } from './value-of.ts'

export type DeclareIn = (node: Node, at: Place) => void

/** Binds the parameters of a function and declares what is in it. */
export function declareFunction(
  reading: Reading,
  node: FunctionNode,
  at: Place,
  declareIn: DeclareIn,
  self?: Value | null,
): void {
  // Arrows have the `this` of what they stand in.
  const own = node.type === 'ArrowFunctionExpression' ? undefined : (self ?? null)
  const [first] = node.params
  const told = first?.type === 'Identifier' && first.name === 'this' ? paramType(reading, first, at.scope) : undefined
  const inside = newScope(at.scope, true, told ?? own)
  reading.scopeOf.set(node, inside)
  const name = node.type === 'FunctionExpression' ? node.id?.name : undefined
  const symbol = reading.symbolOf.get(node)
  if (name !== undefined) inside.values.set(name, () => (symbol === undefined ? undefined : ['symbol', symbol]))
  for (const each of node.typeParameters?.params ?? []) {
    const { constraint } = each
    inside.types.set(
      each.name.name,
      lazily(() => (constraint ? typeOf(reading, constraint, at.scope) : undefined)),
    )
  }
  const within = { scope: inside, parent: at.parent, inFunction: true }
  node.params.forEach((param, index) => {
    const handed = reading.handedTo.get(node)
    bindParam(
      reading,
      param,
      inside,
      lazily(() => {
        const known = handed?.told?.()
        const type = known?.[0] === 'function' ? known[2 + index] : undefined
        if (type && typeof type === 'object') return type
        const to = handed?.callee()
        return handed && to ? ['handed', to, handed.argument, index] : undefined
      }),
    )
    declareIn(param, within)
  })
  if (node.body) declareIn(node.body, within)
}

/** What is known of a function besides its name. */
export function functionFacts(reading: Reading, node: FunctionNode, scope: Scope): Partial<OwnSymbol> {
  const value = resultOf(reading, node, scope)
  const inside = reading.scopeOf.get(node) ?? scope
  const params = node.params.map(param => paramType(reading, param, inside) ?? null)
  return { ...(value && { value }), ...(params.some(each => each !== null) && { params }) }
}

function bindParam(reading: Reading, param: Node, scope: Scope, handed: Binding): void {
  if (param.type === 'TSParameterProperty') return bindParam(reading, param.parameter, scope, handed)
  const inner = param.type === 'RestElement' ? param.argument : param
  const written = lazily(() => paramType(reading, param, scope))
  bindPattern(
    reading,
    inner,
    lazily(() => written() ?? handed()),
    scope,
  )
}

function paramType(reading: Reading, param: Node, scope: Scope): Value | undefined {
  const annotation: unknown = Reflect.get(param, 'typeAnnotation')
  if (isAnnotation(annotation)) return typeOf(reading, annotation.typeAnnotation, scope)
  if (param.type === 'TSParameterProperty') return paramType(reading, param.parameter, scope)
  if (param.type !== 'AssignmentPattern') return undefined
  return paramType(reading, param.left, scope) ?? valueOf(reading, param.right, scope)
}

const isAnnotation = (value: unknown): value is { readonly typeAnnotation: Node } =>
  typeof value === 'object' && value !== null && 'typeAnnotation' in value

/** Binds the names of a pattern to the parts of a value. */
export function bindPattern(reading: Reading, pattern: Node, value: Binding, scope: Scope): void {
  switch (pattern.type) {
    case 'Identifier': {
      const { typeAnnotation } = pattern
      scope.values.set(
        pattern.name,
        typeAnnotation ? lazily(() => typeOf(reading, typeAnnotation.typeAnnotation, scope) ?? value()) : value,
      )
      return
    }
    case 'AssignmentPattern': {
      const { left, right } = pattern
      return bindPattern(
        reading,
        left,
        lazily(() => either([value(), valueOf(reading, right, scope)])),
        scope,
      )
    }
    case 'ObjectPattern': {
      const { typeAnnotation } = pattern
      const whole = typeAnnotation
        ? lazily(() => typeOf(reading, typeAnnotation.typeAnnotation, scope) ?? value())
        : value
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') {
          bindPattern(reading, property.argument, whole, scope)
          continue
        }
        const name = keyName(property.key, property.computed)
        bindPattern(
          reading,
          property.value,
          lazily(() => {
            const object = whole()
            return object && name !== undefined ? ['member', object, name] : undefined
          }),
          scope,
        )
      }
      return
    }
    case 'ArrayPattern':
      for (const element of pattern.elements)
        if (element)
          bindPattern(
            reading,
            element.type === 'RestElement' ? element.argument : element,
            lazily(() => {
              const list = value()
              return list && ['element', list]
            }),
            scope,
          )
  }
}
