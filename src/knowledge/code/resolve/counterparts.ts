import { overloadName, typeName } from '../../model/overload-name.ts'
import { familyOf } from './family.ts'
import type { Names } from './names.ts'
import { ancestry, dotted, holderOf, symbolAt, type Found } from './project.ts'

/**
 * Merges a declaration in a header with its definition; leaves other symbols unchanged. `asked`: the name that was asked
 * for; without types it stands for all overloads of a method.
 */
export function counterparts(found: readonly Found[], names: Names, asked = ''): readonly Found[] {
  const isAnyOverload = asked !== '' && overloadName(asked).taken === undefined
  const more = found.flatMap(each => {
    const symbol = symbolAt(each)
    if (!symbol?.exported || familyOf(each.file.code.language) !== 'c') return []
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
  return [...found, ...more]
}

/** Reports whether the parameters may be the same, as far as their types are plain names. */
function isOneOverload(one: Found, other: Found): boolean {
  const [own, its] = [symbolAt(one)?.takes, symbolAt(other)?.takes]
  if (!own || !its) return true
  const name = (type = '') => typeName(type).replace(/^.*\./, '')
  return own.length === its.length && own.every((type, at) => name(type) === name(its[at]) || name(type) === '')
}

/** The qualified name: enclosing types and modules, and the written receiver. */
const pathOf = (at: Found): string =>
  [dotted(ancestry(holderOf(at))), symbolAt(at)?.receiver ?? ''].filter(each => each !== '').join('.')
