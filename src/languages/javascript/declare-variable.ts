import type {
  AssignmentExpression,
  ExportDefaultDeclaration,
  Node,
  VariableDeclaration,
  VariableDeclarator,
} from 'oxc-parser'
import type { Declaration, Value } from '../file-model/file-model.ts'
import type { Stretch } from '../file-model/syntax-file.ts'
import { bindPattern, functionFacts } from './declare-function.ts'
import { boundNames, keyName, memberName } from './names.ts'
import { addSymbol, isExport, symbolNamed, type Place, type Reading } from './reading.ts'
import { functionScope, isFunction, type Scope } from './scope.ts'
import { annotationValue, lazyValue, valueOf } from './value-of.ts'
import { noteWanted } from './wanted-arguments.ts'

export function declareVariables(
  reading: Reading,
  node: VariableDeclaration,
  at: Place,
  around: Node | undefined,
): void {
  const isAlone = node.declarations.length === 1
  for (const each of node.declarations) {
    for (const watcher of reading.watchers) watcher.declarator?.(each)
    if (each.id.typeAnnotation && reading.meaning) noteWanted(each.id.typeAnnotation.typeAnnotation, each.init)
    const target = node.kind === 'var' && reading.meaning ? functionScope(at.scope) : at.scope
    const details = { whole: isAlone ? (around ?? node) : each, exported: isExport(around), shares: !isAlone }
    if (each.id.type === 'Identifier' && isKept(each, at)) declareVariable(reading, each, at, target, details)
    else declarePattern(reading, each, at, target, details)
  }
}

interface Declared {
  readonly whole: Node
  readonly exported: boolean
  readonly shares: boolean
}

/** Inside of functions only functions and classes are symbols. */
const isKept = ({ init }: VariableDeclarator, { inFunction }: Place): boolean =>
  !inFunction || isFunction(init) || init?.type === 'ClassExpression'

/** Declares the bindings of a pattern: symbols at the top level, otherwise only names. */
function declarePattern(
  reading: Reading,
  node: VariableDeclarator,
  at: Place,
  target: Scope,
  { whole, exported }: Declared,
): void {
  const { id, init } = node
  if (reading.meaning) bindPattern(id, target, () => (init ? valueOf(init, at.scope) : undefined))
  let first: number | undefined
  if (!at.inFunction && id.type !== 'Identifier')
    for (const { name, start } of boundNames(id)) {
      const binding = target.values.get(name)
      const number = addSymbol(reading, {
        name,
        kind: 'variable',
        parent: at.parent,
        exported,
        whole,
        nameAt: start,
        body: init,
        shares: true,
        later: lazyValue(() => binding?.()),
      })
      first ??= number
    }
  if (first !== undefined) reading.symbolOf.set(node, first)
  if (reading.meaning || id.type !== 'Identifier') reading.walk(id, at)
  if (init) reading.walk(init, first === undefined ? at : { ...at, parent: first })
}

function declareVariable(
  reading: Reading,
  node: VariableDeclarator,
  at: Place,
  target: Scope,
  declared: Declared,
): void {
  const { id, init } = node
  if (id.type !== 'Identifier') return
  const { scope, parent } = at
  const kind = isFunction(init) ? 'function' : init?.type === 'ClassExpression' ? 'class' : 'variable'
  const number = addSymbol(reading, {
    name: id.name,
    kind,
    parent,
    ...declared,
    nameAt: id.start,
    body: init && bodyOf(init),
    later() {
      const type = annotationValue(id, scope)
      return {
        ...(init ? factsOfValue(init, scope) : {}),
        ...(type && { value: kind === 'function' ? ['result', type] : type }),
        // Its methods implement the type's.
        ...(type && init?.type === 'ObjectExpression' && { implements: [type] }),
      }
    },
  })
  reading.symbolOf.set(init && kind !== 'variable' ? init : node, number)
  if (reading.meaning) {
    const value: Value = ['symbol', number]
    target.values.set(id.name, () => value)
    if (kind === 'class') target.types.set(id.name, () => value)
    if (init) reading.selfOf.set(unwrap(init), value)
  }
  if (reading.meaning) reading.walk(id, at)
  if (init) reading.walk(init, { ...at, parent: number })
}

/** `export default` of a value is a symbol of its own. */
export function exportDefault(reading: Reading, node: ExportDefaultDeclaration, at: Place): void {
  for (const each of reading.watchers) each.exportDefault?.(node)
  const { declaration } = node
  if (/Declaration$|^TSDeclareFunction$/.test(declaration.type)) return reading.walk(declaration, at, node)
  if (declaration.type === 'Identifier') return
  const isValue = declaration.type !== 'ClassExpression' && !isFunction(declaration)
  const number = addSymbol(reading, {
    name: 'default',
    kind: isFunction(declaration) ? 'function' : isValue ? 'variable' : 'class',
    parent: at.parent,
    exported: true,
    whole: node,
    nameAt: node.start,
    body: bodyOf(declaration),
    later: () => factsOfValue(declaration, at.scope),
  })
  reading.symbolOf.set(declaration, number)
  if (isValue) reading.symbolOf.set(node, number)
  reading.walk(declaration, { ...at, parent: number })
}

/** The facts of a symbol from its value. */
function factsOfValue(node: Node, scope: Scope): Partial<Declaration> {
  if (isFunction(node)) return functionFacts(node, scope)
  if (node.type === 'ClassExpression') return {}
  return lazyValue(() => valueOf(node, scope))()
}

/** `exports.name = function …`, `Name.prototype.method = …` */
export function declareAssigned(reading: Reading, node: AssignmentExpression, at: Place): void {
  for (const each of reading.watchers) each.assignment?.(node, at)
  const { left, right } = node
  const name = left.type === 'MemberExpression' ? memberName(left) : undefined
  const isMade = isFunction(right) || right.type === 'ClassExpression'
  if (at.inFunction || left.type !== 'MemberExpression' || name === undefined || !isMade) {
    reading.walk(left, at)
    return reading.walk(right, at)
  }
  const { object } = left
  const isPrototype = object.type === 'MemberExpression' && keyName(object.property, object.computed) === 'prototype'
  const owner =
    isPrototype && object.object.type === 'Identifier' ? symbolNamed(reading, at.parent, object.object.name) : undefined
  const isWhole = name === 'exports' && object.type === 'Identifier' && object.name === 'module'
  const number = addSymbol(reading, {
    name: isWhole ? ((('id' in right && right.id?.name) || undefined) ?? 'default') : name,
    kind: isPrototype ? 'method' : isFunction(right) ? 'function' : 'class',
    parent: owner ?? at.parent,
    exported: isWhole || (object.type === 'Identifier' && object.name === 'exports'),
    whole: node,
    nameAt: left.property.start,
    body: bodyOf(right),
    shares: true,
    later: () => factsOfValue(right, at.scope),
  })
  reading.symbolOf.set(right, number)
  reading.walk(right, { ...at, parent: number })
}

const unwrap = (node: Node): Node =>
  node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' || node.type === 'ParenthesizedExpression'
    ? unwrap(node.expression)
    : node

/** The stretch of a value's contents. */
const bodyOf = (node: Node): Stretch | null | undefined =>
  isFunction(node) || node.type === 'ClassExpression' ? node.body : node
