import type { Node } from 'oxc-parser'
import type { Value } from '../file-code.ts'
import { bindPattern, functionFacts, type DeclareIn } from './declare-function.ts'
import { keyName } from './names.ts'
import { addSymbol, type Place, type Reading } from './reading.ts'
import { childrenOf, isFunction, lazily, type Scope } from './scope.ts'
import { typeOf, valueOf } from './value-of.ts'

/** Declares what a declarator binds: symbols at the top and for functions and classes, else names alone. */
export function declareVariable(
  reading: Reading,
  node: Extract<Node, { type: 'VariableDeclarator' }>,
  at: Place,
  target: Scope,
  own: Node | undefined,
  declareIn: DeclareIn,
): void {
  const { id, init } = node
  const { scope, parent, inFunction, around } = at
  const isKept = !inFunction || isFunction(init) || init?.type === 'ClassExpression'
  const value = lazily(() => (init ? valueOf(reading, init, scope) : undefined))
  if (id.type !== 'Identifier' || !isKept) {
    const first = reading.drafts.length
    bindPattern(reading, id, value, target)
    if (!inFunction && id.type !== 'Identifier')
      for (const [name, binding] of boundBy(id, target)) {
        const number = addSymbol(reading, {
          name,
          kind: 'variable',
          parent,
          exported: around?.type.startsWith('Export') ?? false,
          whole: own ?? node,
          bodyAt: init?.start,
          later() {
            const known = binding()
            return known ? { value: known } : {}
          },
        })
        if (number === first) reading.symbolOf.set(node, number)
      }
    if (init)
      declareIn(init, { scope, parent: inFunction ? parent : (reading.symbolOf.get(node) ?? parent), inFunction })
    return
  }
  const kind = isFunction(init) ? 'function' : init?.type === 'ClassExpression' ? 'class' : 'variable'
  const number = addSymbol(reading, {
    name: id.name,
    kind,
    parent,
    exported: around?.type.startsWith('Export') ?? false,
    whole: own ?? node,
    bodyAt: init ? bodyOf(init) : undefined,
    later() {
      const type = id.typeAnnotation && typeOf(reading, id.typeAnnotation.typeAnnotation, scope)
      return {
        ...(init ? factsOfValue(reading, init, scope) : {}),
        ...(type && { value: kind === 'function' ? resultIn(type) : type }),
        // Its methods are those of the type.
        ...(type && init?.type === 'ObjectExpression' && { implements: [type] }),
      }
    },
  })
  reading.symbolOf.set(init && kind !== 'variable' ? init : node, number)
  target.values.set(id.name, () => ['symbol', number])
  if (kind === 'class') target.types.set(id.name, () => ['symbol', number])
  if (init) reading.selfOf.set(unwrapped(init), ['symbol', number])
  if (init) declareIn(init, { scope, parent: number, inFunction })
}

/** What is known of something by its value. */
export function factsOfValue(reading: Reading, node: Node, scope: Scope) {
  if (isFunction(node)) return functionFacts(reading, node, scope)
  if (node.type === 'ClassExpression') return {}
  const value = valueOf(reading, node, scope)
  return value ? { value } : {}
}

/** `exports.name = function …`, `Name.prototype.method = …` */
export function declareAssigned(
  reading: Reading,
  node: Extract<Node, { type: 'AssignmentExpression' }>,
  at: Place,
  declareIn: DeclareIn,
): void {
  const { left, right } = node
  const name = left.type === 'MemberExpression' ? keyName(left.property, left.computed) : undefined
  const isMade = isFunction(right) || right.type === 'ClassExpression'
  if (at.inFunction || left.type !== 'MemberExpression' || name === undefined || !isMade) {
    for (const child of childrenOf(node)) declareIn(child, { ...at, around: undefined })
    return
  }
  const { object } = left
  const isPrototype = object.type === 'MemberExpression' && keyName(object.property, object.computed) === 'prototype'
  const owner =
    isPrototype && object.object.type === 'Identifier' ? at.scope.values.get(object.object.name)?.() : undefined
  const isWhole = name === 'exports' && object.type === 'Identifier' && object.name === 'module'
  const number = addSymbol(reading, {
    name: isWhole ? ((('id' in right && right.id?.name) || undefined) ?? 'default') : name,
    kind: isPrototype ? 'method' : isFunction(right) ? 'function' : 'class',
    parent: owner?.[0] === 'symbol' ? owner[1] : at.parent,
    exported: isWhole || (object.type === 'Identifier' && object.name === 'exports'),
    whole: node,
    bodyAt: bodyOf(right),
    later: () => factsOfValue(reading, right, at.scope),
  })
  reading.symbolOf.set(right, number)
  declareIn(right, { ...at, parent: number, around: undefined })
}

const unwrapped = (node: Node): Node =>
  node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' || node.type === 'ParenthesizedExpression'
    ? unwrapped(node.expression)
    : node

/** What a value that is a function gives. */
const resultIn = (type: Value): Value => ['result', type]

/** Where the body of a value begins. */
export const bodyOf = (node: Node): number | undefined =>
  isFunction(node) || node.type === 'ClassExpression' ? node.body?.start : node.start

function boundBy(pattern: Node, scope: Scope): readonly (readonly [string, () => Value | undefined])[] {
  const names: string[] = []
  collect(pattern)
  return names.flatMap(name => {
    const binding = scope.values.get(name)
    return binding ? [[name, binding] as const] : []
  })

  function collect(node: Node): void {
    if (node.type === 'Identifier') names.push(node.name)
    else if (node.type === 'Property') collect(node.value)
    else if (node.type === 'AssignmentPattern') collect(node.left)
    else for (const child of childrenOf(node)) if (child.type !== 'TSTypeAnnotation') collect(child)
  }
}
