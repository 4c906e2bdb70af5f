import type { Declaration } from '../../languages/file-model/file-model.ts'

/** Finds the names around declarations, outermost first; skips tests and unnamed classes. */
export function namesAround(symbols: readonly Declaration[]): (symbol: Declaration) => readonly string[] {
  /** The names that each symbol lends to its children, computed once. */
  const innerNames: (readonly string[] | undefined)[] = []
  return around

  function around({ parent, within = NONE }: Declaration): readonly string[] {
    const outer = lentBy(parent)
    return within.length === 0 ? outer : [...outer, ...within]
  }

  function lentBy(number: number): readonly string[] {
    const symbol = symbols[number]
    if (!symbol) return NONE
    const outer = innerNames[number]
    if (outer) return outer
    const names = around(symbol)
    return (innerNames[number] = symbol.kind === 'test' || symbol.name === '' ? names : [...names, symbol.name])
  }
}

const NONE: readonly string[] = []
