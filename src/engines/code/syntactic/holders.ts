import { symbolAt, type Found } from '../graph/resolve/project.ts'
import { familyOf } from './family.ts'
import type { Tables } from './tables.ts'

/** The type that something is a member of, by name: the one around it, or the one that it says. */
export function holderName(at: Found): string | undefined {
  const symbol = symbolAt(at)
  return symbol?.receiver ?? at.file.code.symbols[symbol?.parent ?? -1]?.name
}

/** Whether a method that stands outside of any type stands in the same namespace as a type. */
export function isBeside(method: Found, type: Found): boolean {
  const [own, other] = [spaceOf(method), spaceOf(type)]
  return own !== undefined && own === other
}

/** The modules around it; undefined where something else is around it. */
function spaceOf({ file, number }: Found): string | undefined {
  const names: string[] = []
  for (let at = file.code.symbols[number]?.parent ?? -1; at >= 0; at = file.code.symbols[at]?.parent ?? -1) {
    const { kind, name } = file.code.symbols[at] ?? {}
    if (kind !== 'module') return undefined
    names.unshift(name ?? '')
  }
  return names.join('.')
}

/** The names around it, of types and modules, with the type that it says. */
function pathOf({ file, number }: Found): string {
  const names: string[] = []
  for (let at = file.code.symbols[number]?.parent ?? -1; at >= 0; at = file.code.symbols[at]?.parent ?? -1)
    names.unshift(file.code.symbols[at]?.name ?? '')
  return [...names, file.code.symbols[number]?.receiver ?? []].flat().join('.')
}

/** What is declared in a header and defined elsewhere is one; others are what they are. */
export function counterparts(found: readonly Found[], tables: Tables): readonly Found[] {
  const more = found.flatMap(each => {
    const symbol = symbolAt(each)
    if (!symbol?.exported || familyOf(each.file.code.language) !== 'c') return []
    return tables.functions(symbol.name).filter(other => {
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
