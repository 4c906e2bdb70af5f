import { languageNamed } from '../../../languages/registry.ts'
import { overloadName, typeName } from '../../model/overload-name.ts'
import type { Names } from './names.ts'
import { ancestry, dottedPath, holderOf, symbolAt, type Found } from './project.ts'

/**
 * Merges a declaration in a header with its definition; leaves other symbols unchanged. `symbolName`: the name that was asked
 * for; without types it stands for all overloads of a method.
 */
export function counterparts(symbols: readonly Found[], names: Names, symbolName = ''): readonly Found[] {
  const isAnyOverload = symbolName !== '' && overloadName(symbolName).taken === undefined
  const more = symbols.flatMap(each => {
    const symbol = symbolAt(each)
    if (!symbol?.exported || !languageNamed(each.file.code.language).hasHeaders) return []
    return names.functions(symbol.name, each.file).filter(other => {
      const { exported, arity, kind } = symbolAt(other) ?? {}
      return (
        other.file !== each.file &&
        exported === true &&
        kind === symbol.kind &&
        pathOf(other) === pathOf(each) &&
        ((isAnyOverload && kind === 'method') || isOneOverload(each, other)) &&
        (kind === 'method' ||
          arity?.join() === symbol.arity?.join() ||
          arity?.[1] === null ||
          symbol.arity?.[1] === null)
      )
    })
  })
  return [...symbols, ...more]
}

/** Reports whether the parameters may be the same, as far as their types are plain names. */
function isOneOverload(one: Found, other: Found): boolean {
  const [ownTypes, its] = [symbolAt(one)?.takes, symbolAt(other)?.takes]
  if (!ownTypes || !its) return true
  const name = (type = '') => typeName(type).replace(/^.*\./, '')
  return (
    ownTypes.length === its.length && ownTypes.every((type, at) => name(type) === name(its[at]) || name(type) === '')
  )
}

/** The qualified name: enclosing types and modules, and the written receiver. */
const pathOf = (at: Found): string =>
  [dottedPath(ancestry(holderOf(at))), symbolAt(at)?.receiver ?? ''].filter(each => each !== '').join('.')
