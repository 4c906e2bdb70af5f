import type { SymbolTable, WithSymbols } from '../table/find-symbols.ts'
import type { KeptTable } from './kept-table.ts'

/** The symbols of an index that is kept, as they are looked for in one that is open. */
export function keptSymbols(kept: KeptTable, hidden: ReadonlySet<string>): SymbolTable {
  const all = kept.find({ by: 'all' }, hidden).map((at): WithSymbols => ({
    path: kept.file(at).path,
    facts: { symbols: kept.symbols(at) },
  }))
  return {
    find: ({ value }) => ({ list: all.filter(({ facts }) => facts?.symbols.includes(value)) }),
    // Names are all that a packed text has letters of.
    naming: part => all.filter(({ facts }) => facts?.symbols.toLowerCase().includes(part)),
    all: () => all,
  }
}
