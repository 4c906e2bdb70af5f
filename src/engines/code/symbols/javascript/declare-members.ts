import type { Class, ClassElement, Node } from 'oxc-parser'
import { keyName } from './names.ts'
import type { Value } from '../file-code.ts'
import { declareFunction, functionFacts, type DeclareIn } from './declare-function.ts'
import { addSymbol, type Place, type Reading } from './reading.ts'
import { isFunction, newScope } from './scope.ts'
import { instanceOf, namedType, typeOf, valueOf } from './value-of.ts'

/** Declares the members of a class; without a number of its own it is one that nobody can name. */
export function declareClass(reading: Reading, node: Class, number: number, at: Place, declareIn: DeclareIn): void {
  const { scope } = at
  const made: Value | null = number < 0 ? null : instanceOf(['symbol', number])
  const inside = newScope(scope, false, made)
  reading.scopeOf.set(node, inside)
  if (node.id) inside.values.set(node.id.name, () => (number < 0 ? undefined : ['symbol', number]))
  for (const each of node.typeParameters?.params ?? []) inside.types.set(each.name.name, () => undefined)
  const draft = reading.drafts[number]
  if (draft)
    draft.later = () => {
      const above = node.superClass && valueOf(reading, node.superClass, scope)
      const kinds = known(node.implements?.map(({ expression }) => namedAs(expression)))
      return { ...(above && { extends: [above] }), ...(kinds.length > 0 && { implements: kinds }) }
    }
  const within = { scope: inside, parent: number < 0 ? at.parent : number, inFunction: at.inFunction }
  for (const decorator of node.decorators) declareIn(decorator, { ...within, scope })
  if (node.superClass) declareIn(node.superClass, { ...within, scope })
  for (const member of node.body.body) declareMember(member)

  /** The name of an interface is none among values. */
  function namedAs(expression: Node): Value | undefined {
    return expression.type === 'Identifier' ? namedType(expression.name, scope) : valueOf(reading, expression, scope)
  }

  function declareMember(member: ClassElement): void {
    if (member.type === 'StaticBlock' || member.type === 'TSIndexSignature') return declareIn(member, within)
    const name = keyName(member.key, member.computed)
    const { static: isStatic } = member
    const self: Value | null = number < 0 ? null : isStatic ? ['symbol', number] : made
    const fn = isFunction(member.value) ? member.value : undefined
    for (const decorator of member.decorators) declareIn(decorator, within)
    if (member.computed) declareIn(member.key, within)
    if (fn && name !== undefined && number >= 0) {
      const before = reading.drafts.findLastIndex(each => each.name === name && each.parent === number)
      const isOverload = reading.overloads.has(before)
      const isAccessor = 'kind' in member && (member.kind === 'get' || member.kind === 'set')
      const symbol = isOverload
        ? before
        : addSymbol(reading, {
            name,
            kind: 'method',
            parent: number,
            whole: member,
            bodyAt: fn.body?.start,
            isStatic,
            later() {
              const facts = functionFacts(reading, fn, inside)
              return isAccessor ? { ...facts, isAccessor: true } : facts
            },
          })
      const merged = reading.drafts[symbol]
      if (merged) merged.to = Math.max(merged.to, reading.lines.of(Math.max(member.end - 1, 0)))
      if (fn.body) reading.overloads.delete(symbol)
      else reading.overloads.add(symbol)
      reading.symbolOf.set(fn, symbol)
      declareFunction(reading, fn, { ...within, parent: symbol }, declareIn, self)
      if (name === 'constructor') declareProperties(fn)
      return
    }
    if (name !== undefined && number >= 0 && 'typeAnnotation' in member) {
      const { typeAnnotation, value } = member
      addSymbol(reading, {
        name,
        kind: 'property',
        parent: number,
        whole: member,
        isStatic,
        later() {
          const found =
            (typeAnnotation && typeOf(reading, typeAnnotation.typeAnnotation, inside)) ||
            (value && valueOf(reading, value, inside))
          return found ? { value: found } : {}
        },
      })
    }
    if (member.value) declareIn(member.value, { ...within, scope: isStatic ? newScope(inside, false, self) : inside })
  }

  /** `constructor(private readonly name: Type)`, and `this.name = …` where nothing else declares it. */
  function declareProperties(fn: Node & { readonly params: readonly Node[] }): void {
    const scopeOf = reading.scopeOf.get(fn) ?? inside
    for (const param of fn.params) {
      if (param.type !== 'TSParameterProperty') continue
      const { parameter } = param
      const id = parameter.type === 'AssignmentPattern' ? parameter.left : parameter
      if (id.type === 'Identifier') addProperty(id.name, param, () => scopeOf.values.get(id.name)?.())
    }
    const body = 'body' in fn && fn.body && typeof fn.body === 'object' && 'body' in fn.body ? fn.body.body : []
    for (const statement of Array.isArray(body) ? body : []) {
      const assigned: Node | undefined = statement?.type === 'ExpressionStatement' ? statement.expression : undefined
      if (assigned?.type !== 'AssignmentExpression' || assigned.left.type !== 'MemberExpression') continue
      const { left, right } = assigned
      const name = left.object.type === 'ThisExpression' ? keyName(left.property, left.computed) : undefined
      if (name === undefined || isDeclared(name)) continue
      addProperty(name, statement, () => valueOf(reading, right, scopeOf))
    }
  }

  function isDeclared(name: string): boolean {
    if (reading.drafts.some(each => each.parent === number && each.name === name)) return true
    return node.body.body.some(each => 'key' in each && keyName(each.key, each.computed) === name)
  }

  function addProperty(name: string, whole: Node, value: () => Value | undefined): void {
    addSymbol(reading, {
      name,
      kind: 'property',
      parent: number,
      whole,
      later() {
        const found = value()
        return found ? { value: found } : {}
      },
    })
  }
}

const known = (values: readonly (Value | undefined)[] = []): readonly Value[] =>
  values.filter(each => each !== undefined)
