import type {
  Node,
  TSEnumDeclaration,
  TSInterfaceDeclaration,
  TSModuleDeclaration,
  TSSignature,
  TSTypeAliasDeclaration,
} from 'oxc-parser'
import type { Value } from '../file-model.ts'
import { keyName } from './names.ts'
import { addFunction, addSymbol, isExport, openScope, type Place, type Reading } from './reading.ts'
import type { Scope } from './scope.ts'
import { bindTypeParameters, typeParameters, withTypeArguments } from './type-parameters.ts'
import { callableIn, namedType, typeOf, valueOf } from './value-of.ts'

export function declareInterface(
  reading: Reading,
  node: TSInterfaceDeclaration,
  at: Place,
  around: Node | undefined,
): void {
  const { scope, parent } = at
  const inside = typeScope(reading, node, scope, reading.drafts.length)
  const number = addSymbol(reading, {
    name: node.id.name,
    kind: 'interface',
    parent,
    exported: isExport(around),
    whole: around ?? node,
    nameAt: node.id.start,
    body: node.body,
    later() {
      const above = known(
        node.extends.map(({ expression, typeArguments }) => {
          const base =
            expression.type === 'Identifier' ? namedType(expression.name, scope) : valueOf(reading, expression, scope)
          return base && withTypeArguments(reading, base, typeArguments, inside)
        }),
      )
      const called = callableIn(reading, node.body.body, inside)
      return {
        ...(above.length > 0 && { extends: above }),
        ...(called && { value: called }),
        ...typeParameters(reading, node.typeParameters, inside),
      }
    },
  })
  bindType(reading, node, scope, number)
  declareSignatures(reading, node.body.body, number, inside)
  walkType(reading, node, { ...at, scope: inside, parent: number })
}

/** `type Name = { … }` has members as an interface has, and `A & { … }` those of A too. */
export function declareAlias(
  reading: Reading,
  node: TSTypeAliasDeclaration,
  at: Place,
  around: Node | undefined,
): void {
  const { scope, parent } = at
  const inside = typeScope(reading, node, scope, reading.drafts.length)
  const parts = partsOf(node.typeAnnotation)
  const isObject = parts.some(each => each.type === 'TSTypeLiteral')
  const number = addSymbol(reading, {
    name: node.id.name,
    kind: 'type',
    parent,
    exported: isExport(around),
    whole: around ?? node,
    nameAt: node.id.start,
    body: node.typeAnnotation,
    later() {
      const value = typeOf(reading, node.typeAnnotation, inside)
      const above = isObject
        ? known(parts.map(each => (each.type === 'TSTypeLiteral' ? undefined : typeOf(reading, each, inside))))
        : []
      return {
        ...(value && { value }),
        ...(above.length > 0 && { extends: above }),
        ...typeParameters(reading, node.typeParameters, inside),
      }
    },
  })
  bindType(reading, node, scope, number)
  // One of several is no type that has all members.
  for (const each of reading.meaning ? parts : alternativesIn(node.typeAnnotation))
    if (each.type === 'TSTypeLiteral') declareSignatures(reading, each.members, number, inside)
  walkType(reading, node, { ...at, scope: inside, parent: number })
}

export function declareEnum(reading: Reading, node: TSEnumDeclaration, at: Place, around: Node | undefined): void {
  const number = addSymbol(reading, {
    name: node.id.name,
    kind: 'enum',
    parent: at.parent,
    exported: isExport(around),
    whole: around ?? node,
    nameAt: node.id.start,
    body: node.body,
  })
  bindType(reading, node, at.scope, number)
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
  const { scope, parent } = at
  const name = reading.text.slice(node.id.start, node.id.end).replaceAll(/^['"]|['"]$|\s/g, '')
  const number = addSymbol(reading, {
    name,
    kind: 'module',
    parent,
    exported: isExport(around),
    whole: around ?? node,
    nameAt: node.id.start,
    body: node.body,
  })
  reading.symbolOf.set(node, number)
  if (!node.body) return
  const inside = openScope(reading, node.body, scope, true)
  if (reading.meaning) {
    // A namespace adds to the function or class of its name; that is what the name stands for then.
    if (!scope.values.has(name)) scope.values.set(name, () => ['symbol', number])
    if (!scope.types.has(name)) scope.types.set(name, () => ['symbol', number])
  }
  for (const each of node.body.body) reading.walk(each, { scope: inside, parent: number, inFunction: false })
}

function bindType(
  reading: Reading,
  node: TSInterfaceDeclaration | TSTypeAliasDeclaration | TSEnumDeclaration,
  scope: Scope,
  number: number,
): void {
  reading.symbolOf.set(node, number)
  if (reading.meaning) scope.types.set(node.id.name, () => ['symbol', number])
}

function typeScope(
  reading: Reading,
  node: TSInterfaceDeclaration | TSTypeAliasDeclaration,
  scope: Scope,
  number: number,
): Scope {
  const inside = openScope(reading, node, scope)
  if (reading.meaning) bindTypeParameters(reading, node.typeParameters, number, inside)
  return inside
}

const partsOf = (type: Node): readonly Node[] => {
  if (type.type === 'TSParenthesizedType') return partsOf(type.typeAnnotation)
  return type.type === 'TSIntersectionType' ? type.types.flatMap(partsOf) : [type]
}

const alternativesIn = (type: Node): readonly Node[] =>
  partsOf(type).flatMap(part => (part.type === 'TSUnionType' ? part.types.flatMap(alternativesIn) : [part]))

/** Where entries are asked for, they are found wherever types are written. */
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
  const written = isMethod ? member.returnType : member.typeAnnotation
  return (isMethod ? addFunction : addSymbol)(reading, {
    name,
    kind: isMethod ? 'method' : 'property',
    parent,
    whole: member,
    nameAt: member.key.start,
    body: isMethod ? undefined : written?.typeAnnotation,
    later() {
      const value = written && typeOf(reading, written.typeAnnotation, scope)
      return value ? { value } : {}
    },
  })
}

function walkType(reading: Reading, node: Node, at: Place): void {
  if (reading.meaning || reading.entries) reading.walkInside(node, at)
}

const known = (values: readonly (Value | undefined)[]): readonly Value[] => values.filter(each => each !== undefined)
