import type { SymbolTable, WithSymbols } from '../table/find-symbols.ts'
import type { StoredTable } from './stored-table.ts'

/** Symbols of a stored index, in the form of an open one. */
export function storedSymbols(storedTable: StoredTable, hiddenPaths: ReadonlySet<string>): SymbolTable {
  const all = storedTable.find({ by: 'all' }, hiddenPaths).map((at): WithSymbols => ({
    path: storedTable.file(at).path,
    facts: { symbols: storedTable.symbols(at) },
  }))
  return {
    find: ({ value }) => ({ list: all.filter(({ facts }) => facts?.symbols.includes(value)) }),
    // Only names in the packed text contain letters.
    naming: part => all.filter(({ facts }) => facts?.symbols.toLowerCase().includes(part)),
    all: () => all,
  }
}
