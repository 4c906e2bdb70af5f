import type { Node, TSTypeParameterDeclaration, TSTypeParameterInstantiation } from 'oxc-parser'
import type { Declaration, Value } from '../file-model/file-model.ts'
import { lazily, type Scope } from './scope.ts'
import { instanceOf, definedValues, namedType, typeOf, valueOf } from './value-of.ts'

type Written = TSTypeParameterDeclaration | null | undefined

/** Binds the type parameters of a symbol; without a symbol they stand for their constraints. */
export function bindTypeParameters(parameterList: Written, number: number | undefined, scope: Scope): void {
  for (const [index, each] of (parameterList?.params ?? []).entries())
    scope.types.set(
      each.name.name,
      number === undefined || number < 0 ? lazily(() => standsFor(each, scope)) : () => ['parameter', number, index],
    )
}

/** The values of a symbol's type parameters if none are given. */
export function typeParameters(parameterList: Written, scope: Scope): Partial<Declaration> {
  const params = parameterList?.params ?? []
  if (params.length === 0) return {}
  return { typeParameters: params.map(each => standsFor(each, scope) ?? null) }
}

function standsFor(
  { constraint, default: fallback }: { readonly constraint: Node | null; readonly default: Node | null },
  scope: Scope,
): Value | undefined {
  return (constraint && typeOf(constraint, scope)) || (fallback ? typeOf(fallback, scope) : undefined)
}

/** The bases that a class or interface names. */
export const namedAbove = (
  bases: readonly { readonly expression: Node; readonly typeArguments: TSTypeParameterInstantiation | null }[],
  scope: Scope,
  inside: Scope,
): readonly Value[] =>
  definedValues(
    bases.map(({ expression, typeArguments }) => {
      // The name of an interface is not a value.
      const base = expression.type === 'Identifier' ? namedType(expression.name, scope) : valueOf(expression, scope)
      return base && withTypeArguments(base, typeArguments, inside)
    }),
  )

/** A base with its written type arguments. */
export const withTypeArguments = (
  base: Value,
  typeArguments: TSTypeParameterInstantiation | null | undefined,
  scope: Scope,
): Value =>
  typeArguments
    ? instanceOf(
        base,
        typeArguments.params.map(each => typeOf(each, scope) ?? null),
      )
    : base
