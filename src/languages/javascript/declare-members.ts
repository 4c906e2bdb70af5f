import type { Class, ClassElement, Node } from 'oxc-parser'
import { keyName } from './names.ts'
import type { Value } from '../file-model/file-model.ts'
import { declareFunction, functionFacts } from './declare-function.ts'
import {
  addFunction,
  addNamed,
  addSymbol,
  openScope,
  symbolNamed,
  type Draft,
  type Place,
  type Reading,
} from './reading.ts'
import { isFunction, newScope, type FunctionNode } from './scope.ts'
import { bindTypeParameters, namedAbove, typeParameters, withTypeArguments } from './type-parameters.ts'
import { annotationValue, instanceOf, lazyValue, valueOf } from './value-of.ts'

export function declareClass(reading: Reading, node: Class, at: Place, around: Node | undefined): void {
  const [name, nameAt] = [node.id?.name ?? 'default', node.id?.start ?? node.start]
  const number = addNamed(reading, node, at, around, { name, kind: 'class', nameAt, body: node.body })
  if (node.id && reading.meaning) {
    const value: Value = ['symbol', number]
    at.scope.values.set(name, () => value)
    at.scope.types.set(name, () => value)
  }
  declareMembers(reading, node, number, at)
}

/** A class expression has a name if a variable or the like gave it one. */
export function declareClassValue(reading: Reading, node: Class, at: Place): void {
  const { parent } = at
  const classSymbol = reading.symbolOf.get(node)
  const nameAt = node.id?.start ?? node.start
  const number =
    classSymbol ??
    addSymbol(reading, { name: '', kind: 'class', parent, whole: node, nameAt, body: node.body, shares: true })
  reading.symbolOf.set(node, number)
  declareMembers(reading, node, number, at)
}

/** A class with the names that are visible in it. */
interface Around {
  readonly number: number
  readonly made: Value
  readonly within: Place
}

function declareMembers(reading: Reading, node: Class, number: number, at: Place): void {
  for (const each of reading.watchers) each.class?.(node)
  const { scope } = at
  const instance = instanceOf(['symbol', number])
  const inside = openScope(reading, node, scope, false, instance)
  const draft = reading.drafts[number]
  if (reading.meaning) {
    if (node.id) inside.values.set(node.id.name, () => ['symbol', number])
    bindTypeParameters(node.typeParameters, number, inside)
    if (draft)
      draft.later = () => {
        const above = node.superClass && valueOf(node.superClass, scope)
        const base = above && withTypeArguments(above, node.superTypeArguments, inside)
        const kinds = namedAbove(node.implements ?? [], scope, inside)
        return {
          ...(base && { extends: [base] }),
          ...(kinds.length > 0 && { implements: kinds }),
          ...typeParameters(node.typeParameters, inside),
        }
      }
  }
  const within = { scope: inside, parent: number, inFunction: at.inFunction }
  for (const decorator of node.decorators) reading.walk(decorator, { ...within, scope })
  if (node.superClass) reading.walk(node.superClass, { ...within, scope })
  const around = { number, made: instance, within }
  for (const member of node.body.body) declareMember(reading, member, around)
  if (reading.meaning)
    for (const { value } of node.body.body.filter(isConstructor)) declareProperties(reading, value, around)
}

function declareMember(reading: Reading, member: ClassElement, around: Around): void {
  const { number, made, within } = around
  if (member.type === 'StaticBlock' || member.type === 'TSIndexSignature') return reading.walk(member, within)
  const { key, computed, static: isStatic, value } = member
  const name = keyName(key, computed)
  for (const decorator of member.decorators) reading.walk(decorator, within)
  if (computed) reading.walk(key, within)
  const self: Value = isStatic ? ['symbol', number] : made
  if (isFunction(value)) {
    const symbol = name === undefined ? number : declareMethod(reading, name, member, value, around)
    declareFunction(reading, value, { ...within, parent: symbol }, self)
    return
  }
  const typeAnnotation = 'typeAnnotation' in member ? member.typeAnnotation : undefined
  const symbol =
    name !== undefined &&
    addSymbol(reading, {
      name,
      kind: 'property',
      parent: number,
      whole: member,
      nameAt: key.start,
      body: value,
      isStatic,
      later: lazyValue(
        () => annotationValue(member, within.scope) ?? (value ? valueOf(value, within.scope) : undefined),
      ),
    })
  const parent = reading.entries && symbol !== false ? symbol : number
  if (typeAnnotation) reading.walk(typeAnnotation, { ...within, parent })
  const scope = isStatic && reading.meaning ? newScope(reading, within.scope, false, self) : within.scope
  if (value) reading.walk(value, { ...within, scope, parent })
}

function declareMethod(
  reading: Reading,
  name: string,
  member: Exclude<ClassElement, { readonly type: 'StaticBlock' | 'TSIndexSignature' }>,
  fn: FunctionNode,
  { number, within }: Around,
): number {
  const isAccessor = 'kind' in member && (member.kind === 'get' || member.kind === 'set')
  const symbol = addFunction(reading, {
    name,
    kind: 'method',
    parent: number,
    whole: member,
    nameAt: member.key.start,
    body: fn.body,
    isStatic: member.static,
    later() {
      const facts = functionFacts(fn, within.scope)
      return isAccessor ? { ...facts, accessor: member.kind === 'get' ? 'read' : 'write' } : facts
    },
  })
  reading.symbolOf.set(fn, symbol)
  return symbol
}

const isConstructor = (member: ClassElement): member is Extract<ClassElement, { readonly type: 'MethodDefinition' }> =>
  member.type === 'MethodDefinition' && member.kind === 'constructor'

/** `constructor(private readonly name: Type)`, and `this.name = …` if nothing else declares it. */
function declareProperties(reading: Reading, fn: FunctionNode, { number, within }: Around): void {
  const scope = reading.scopeOf.get(fn) ?? within.scope
  for (const param of fn.params) {
    if (param.type !== 'TSParameterProperty') continue
    const { parameter } = param
    const id = parameter.type === 'AssignmentPattern' ? parameter.left : parameter
    if (id.type === 'Identifier') add(id.name, id.start, param, () => scope.values.get(id.name)?.())
  }
  const body = fn.body && 'body' in fn.body && Array.isArray(fn.body.body) ? fn.body.body : []
  for (const statement of body) {
    const assignment: Node | undefined = statement?.type === 'ExpressionStatement' ? statement.expression : undefined
    if (assignment?.type !== 'AssignmentExpression' || assignment.left.type !== 'MemberExpression') continue
    const { left, right } = assignment
    const name = left.object.type === 'ThisExpression' ? keyName(left.property, left.computed) : undefined
    if (name === undefined) continue
    const value = (): Value | undefined => valueOf(right, scope)
    const existing = reading.drafts[symbolNamed(reading, number, name) ?? -1]
    if (!existing) add(name, left.property.start, statement, value)
    else if (existing.kind === 'property') assign(existing, value)
  }

  function assign(declared: Draft, value: () => Value | undefined): void {
    const { later } = declared
    declared.later = () => {
      const [laterDetails, assignedValue] = [later?.() ?? {}, value()]
      return laterDetails.value || !assignedValue ? laterDetails : { ...laterDetails, value: assignedValue }
    }
  }

  function add(name: string, nameAt: number, whole: Node, value: () => Value | undefined): void {
    addSymbol(reading, {
      name,
      kind: 'property',
      parent: number,
      whole,
      nameAt,
      shares: true,
      later: lazyValue(value),
    })
  }
}
