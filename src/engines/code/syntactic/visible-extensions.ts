import { symbolAt, type Found } from '../graph/resolve/project.ts'
import { isFinalType, type Where } from './meaning-words.ts'
import type { Tables } from './tables.ts'

/** Functions that add to a type from outside, as far as a place sees them. */
export interface VisibleExtensions {
  named(name: string, where: Where): readonly Found[]
  /** Those of one of these types. */
  of(types: readonly string[], name: string, where: Where): readonly Found[]
}

export function visibleExtensions(tables: Tables): VisibleExtensions {
  const named = (name: string, where: Where) => tables.extensions(name).filter(each => isVisible(each, where))
  return {
    named,
    of(types, name, where) {
      const visible = named(name, where)
      const exact = visible.filter(each => types.includes(symbolAt(each)?.receiver ?? ''))
      if (exact.length > 0) return exact
      return visible.filter(each => {
        const receiver = symbolAt(each)?.receiver ?? ''
        if (receiver === 'Any' || /^[A-Z]$/.test(receiver)) return true
        // Nobody says what a type of a library inherits from.
        const isOwn = tables.isTypeSomewhere(receiver)
        return types.length === 1 && !isOwn && !isFinalType(receiver) && !isFinalType(types[0] ?? '')
      })
    },
  }

  function isVisible(found: Found, { file }: Where): boolean {
    const symbol = symbolAt(found)
    if (!symbol) return false
    if (found.file === file || symbol.parent !== -1) return true
    const home = tables.packageOf(found.file)
    if (home === tables.packageOf(file)) return true
    return file.code.imports.some(({ module, name }) => module === home && (name === '*' || name === symbol.name))
  }
}
