import type { SymbolTable, WithSymbols } from '../table/find-symbols.ts'
import type { StoredTable } from './stored-table.ts'

/** Symbols of a stored index, in the form of an open one. */
export function storedSymbols(kept: StoredTable, hidden: ReadonlySet<string>): SymbolTable {
  const all = kept.find({ by: 'all' }, hidden).map((at): WithSymbols => ({
    path: kept.file(at).path,
    facts: { symbols: kept.symbols(at) },
  }))
  return {
    find: ({ value }) => ({ list: all.filter(({ facts }) => facts?.symbols.includes(value)) }),
    // Only names in the packed text contain letters.
    naming: part => all.filter(({ facts }) => facts?.symbols.toLowerCase().includes(part)),
    all: () => all,
  }
}
