import type { Node, TSInterfaceDeclaration, TSSignature, TSTypeAliasDeclaration } from 'oxc-parser'
import type { Value } from '../file-code.ts'
import { keyName } from './names.ts'
import { addSymbol, type Place, type Reading } from './reading.ts'
import { newScope, type Scope } from './scope.ts'
import { callableIn, namedType, typeOf, valueOf } from './value-of.ts'

export function declareInterface(reading: Reading, node: TSInterfaceDeclaration, at: Place, exported: boolean): void {
  const { scope, parent, around } = at
  const inside = typeScope(reading, node, scope)
  const number = addSymbol(reading, {
    name: node.id.name,
    kind: 'interface',
    parent,
    exported,
    whole: around ?? node,
    bodyAt: node.body.start,
    later() {
      const above = known(
        node.extends.map(({ expression }) =>
          expression.type === 'Identifier' ? namedType(expression.name, scope) : valueOf(reading, expression, scope),
        ),
      )
      const called = callableIn(reading, node.body.body, inside)
      return { ...(above.length > 0 && { extends: above }), ...(called && { value: called }) }
    },
  })
  reading.symbolOf.set(node, number)
  scope.types.set(node.id.name, () => ['symbol', number])
  declareSignatures(reading, node.body.body, number, inside)
}

/** `type Name = { … }` has members as an interface has, and `A & { … }` those of A too. */
export function declareAlias(reading: Reading, node: TSTypeAliasDeclaration, at: Place, exported: boolean): void {
  const { scope, parent, around } = at
  const inside = typeScope(reading, node, scope)
  const parts = partsOf(node.typeAnnotation)
  const isObject = parts.some(each => each.type === 'TSTypeLiteral')
  const number = addSymbol(reading, {
    name: node.id.name,
    kind: 'type',
    parent,
    exported,
    whole: around ?? node,
    later() {
      const value = typeOf(reading, node.typeAnnotation, inside)
      const above = isObject
        ? known(parts.map(each => (each.type === 'TSTypeLiteral' ? undefined : typeOf(reading, each, inside))))
        : []
      return { ...(value && { value }), ...(above.length > 0 && { extends: above }) }
    },
  })
  reading.symbolOf.set(node, number)
  scope.types.set(node.id.name, () => ['symbol', number])
  for (const each of parts) if (each.type === 'TSTypeLiteral') declareSignatures(reading, each.members, number, inside)
}

function typeScope(reading: Reading, node: TSInterfaceDeclaration | TSTypeAliasDeclaration, scope: Scope): Scope {
  const inside = newScope(scope)
  reading.scopeOf.set(node, inside)
  for (const each of node.typeParameters?.params ?? []) inside.types.set(each.name.name, () => undefined)
  return inside
}

const partsOf = (type: Node): readonly Node[] => {
  if (type.type === 'TSParenthesizedType') return partsOf(type.typeAnnotation)
  return type.type === 'TSIntersectionType' ? type.types.flatMap(partsOf) : [type]
}

function declareSignatures(reading: Reading, members: readonly TSSignature[], parent: number, scope: Scope): void {
  for (const member of members) {
    if (member.type !== 'TSMethodSignature' && member.type !== 'TSPropertySignature') continue
    const name = keyName(member.key, member.computed)
    if (name === undefined) continue
    const isMethod = member.type === 'TSMethodSignature'
    const written = isMethod ? member.returnType : member.typeAnnotation
    // Overloads of a method are one.
    if (isMethod && reading.drafts.some(each => each.parent === parent && each.name === name)) continue
    addSymbol(reading, {
      name,
      kind: isMethod ? 'method' : 'property',
      parent,
      whole: member,
      later() {
        const value = written && typeOf(reading, written.typeAnnotation, scope)
        return value ? { value } : {}
      },
    })
  }
}

const known = (values: readonly (Value | undefined)[]): readonly Value[] => values.filter(each => each !== undefined)
