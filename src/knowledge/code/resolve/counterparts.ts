import { familyOf } from './family.ts'
import type { Names } from './names.ts'
import { ancestry, dotted, holderOf, symbolAt, type Found } from './project.ts'

/** Merges a declaration in a header with its definition; leaves other symbols unchanged. */
export function counterparts(found: readonly Found[], names: Names): readonly Found[] {
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
        (kind === 'method' ||
          arity?.join() === symbol.arity?.join() ||
          arity?.[1] === null ||
          symbol.arity?.[1] === null)
      )
    })
  })
  return [...found, ...more]
}

/** The qualified name: enclosing types and modules, and the written receiver. */
const pathOf = (at: Found): string =>
  [dotted(ancestry(holderOf(at))), symbolAt(at)?.receiver ?? ''].filter(each => each !== '').join('.')
