import type {
  Node,
  TSEnumDeclaration,
  TSInterfaceDeclaration,
  TSModuleDeclaration,
  TSSignature,
  TSTypeAliasDeclaration,
} from 'oxc-parser'
import { keyName } from './names.ts'
import { addFunction, addNamed, addSymbol, openScope, type Place, type Reading } from './reading.ts'
import type { Scope } from './scope.ts'
import { bindTypeParameters, namedAbove, typeParameters } from './type-parameters.ts'
import { callableIn, definedValues, typeOf, lazyValue } from './value-of.ts'

export function declareInterface(
  reading: Reading,
  node: TSInterfaceDeclaration,
  at: Place,
  around: Node | undefined,
): void {
  const { scope } = at
  const inside = typeScope(reading, node, scope, reading.drafts.length)
  const number = addType(reading, node, at, around, {
    kind: 'interface',
    body: node.body,
    later() {
      const above = namedAbove(node.extends, scope, inside)
      const callable = callableIn(node.body.body, inside)
      return {
        ...(above.length > 0 && { extends: above }),
        ...(callable && { value: callable }),
        ...typeParameters(node.typeParameters, inside),
      }
    },
  })
  declareSignatures(reading, node.body.body, number, inside)
  walkType(reading, node, { ...at, scope: inside, parent: number })
}

/** `type Name = { … }` has members like an interface; `A & { … }` also has those of A. */
export function declareAlias(
  reading: Reading,
  node: TSTypeAliasDeclaration,
  at: Place,
  around: Node | undefined,
): void {
  const inside = typeScope(reading, node, at.scope, reading.drafts.length)
  const parts = partsOf(node.typeAnnotation)
  const isObject = parts.some(each => each.type === 'TSTypeLiteral')
  const number = addType(reading, node, at, around, {
    kind: 'type',
    body: node.typeAnnotation,
    later() {
      const value = typeOf(node.typeAnnotation, inside)
      const above = isObject
        ? definedValues(parts.map(each => (each.type === 'TSTypeLiteral' ? undefined : typeOf(each, inside))))
        : []
      return {
        ...(value && { value }),
        ...(above.length > 0 && { extends: above }),
        ...typeParameters(node.typeParameters, inside),
      }
    },
  })
  // A union has not all members of its parts.
  for (const each of reading.meaning ? parts : alternativesIn(node.typeAnnotation))
    if (each.type === 'TSTypeLiteral') declareSignatures(reading, each.members, number, inside)
  walkType(reading, node, { ...at, scope: inside, parent: number })
}

export function declareEnum(reading: Reading, node: TSEnumDeclaration, at: Place, around: Node | undefined): void {
  const number = addType(reading, node, at, around, { kind: 'enum', body: node.body })
  if (reading.meaning) at.scope.values.set(node.id.name, () => ['symbol', number])
  for (const member of reading.entries ? node.body.members : []) {
    const name = keyName(member.id, member.computed)
    if (name === undefined) continue
    const { start: nameAt } = member.id
    addSymbol(reading, { name, kind: 'property', parent: number, whole: member, nameAt, body: member.initializer })
  }
}

export function declareNamespace(
  reading: Reading,
  node: TSModuleDeclaration,
  at: Place,
  around: Node | undefined,
): void {
  const { scope } = at
  const name = reading.text.slice(node.id.start, node.id.end).replaceAll(/^['"]|['"]$|\s/g, '')
  const number = addNamed(reading, node, at, around, {
    name,
    kind: 'module',
    nameAt: node.id.start,
    body: node.body,
  })
  if (!node.body) return
  const inside = openScope(reading, node.body, scope, true)
  if (reading.meaning) {
    // A namespace merges with the function or class of its name, which the name then refers to.
    if (!scope.values.has(name)) scope.values.set(name, () => ['symbol', number])
    if (!scope.types.has(name)) scope.types.set(name, () => ['symbol', number])
  }
  for (const each of node.body.body) reading.walk(each, { scope: inside, parent: number, inFunction: false })
}

function addType(
  reading: Reading,
  node: TSInterfaceDeclaration | TSTypeAliasDeclaration | TSEnumDeclaration,
  at: Place,
  around: Node | undefined,
  own: Pick<Parameters<typeof addNamed>[4], 'kind' | 'body' | 'later'>,
): number {
  const { name, start: nameAt } = node.id
  const number = addNamed(reading, node, at, around, { name, nameAt, ...own })
  if (reading.meaning) at.scope.types.set(name, () => ['symbol', number])
  return number
}

function typeScope(
  reading: Reading,
  node: TSInterfaceDeclaration | TSTypeAliasDeclaration,
  scope: Scope,
  number: number,
): Scope {
  const inside = openScope(reading, node, scope)
  if (reading.meaning) bindTypeParameters(node.typeParameters, number, inside)
  return inside
}

const partsOf = (type: Node): readonly Node[] => {
  if (type.type === 'TSParenthesizedType') return partsOf(type.typeAnnotation)
  return type.type === 'TSIntersectionType' ? type.types.flatMap(partsOf) : [type]
}

const alternativesIn = (type: Node): readonly Node[] =>
  partsOf(type).flatMap(part => (part.type === 'TSUnionType' ? part.types.flatMap(alternativesIn) : [part]))

/** Requested entries are found wherever types are written. */
function declareSignatures(reading: Reading, members: readonly TSSignature[], parent: number, scope: Scope): void {
  if (reading.entries) return
  for (const member of members)
    if (member.type === 'TSMethodSignature' || member.type === 'TSPropertySignature')
      addSignature(reading, member, parent, scope)
}

export function declareSignature(reading: Reading, node: Signature, at: Place): void {
  const number = reading.entries ? addSignature(reading, node, at.parent, at.scope) : undefined
  reading.walkInside(node, number === undefined ? at : { ...at, parent: number })
}

type Signature = Extract<TSSignature, { readonly type: 'TSMethodSignature' | 'TSPropertySignature' }>

function addSignature(reading: Reading, member: Signature, parent: number, scope: Scope): number | undefined {
  const name = keyName(member.key, member.computed)
  if (name === undefined) return undefined
  const isMethod = member.type === 'TSMethodSignature'
  const annotation = isMethod ? member.returnType : member.typeAnnotation
  return (isMethod ? addFunction : addSymbol)(reading, {
    name,
    kind: isMethod ? 'method' : 'property',
    parent,
    whole: member,
    nameAt: member.key.start,
    body: isMethod ? undefined : annotation?.typeAnnotation,
    later: lazyValue(() => (annotation ? typeOf(annotation.typeAnnotation, scope) : undefined)),
  })
}

function walkType(reading: Reading, node: Node, at: Place): void {
  if (reading.meaning || reading.entries) reading.walkInside(node, at)
}
