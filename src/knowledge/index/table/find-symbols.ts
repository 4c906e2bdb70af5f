import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'
import { wholeName } from '../../model/whole-name.ts'
import type { FoundSymbol } from '../types.ts'
import type { PackedFacts } from './entry.ts'
import { symbolNames, unpackSymbols } from './packed-symbols.ts'

export interface WithSymbols {
  readonly path: string
  readonly facts?: Pick<PackedFacts, 'symbols'>
}

/** Files by their symbols, each list in path order. A list may include files without a match. */
export interface SymbolTable {
  find(query: { readonly by: 'symbol'; readonly value: string }): { readonly list: readonly WithSymbols[] }
  /**
   * Returns the files in which the name of a symbol or its container holds this lower-case part, or undefined if there
   * are too many.
   */
  naming(part: string): readonly WithSymbols[] | undefined
  all(): readonly WithSymbols[]
}

interface Wanted {
  readonly limit: number
  /** How the caller's view of the table's files differs. */
  readonly differing?: { readonly hidden: ReadonlySet<string>; readonly extra: readonly WithSymbols[] }
}

/** Returns symbols whose name contains the query: exact matches first, each group in path order. */
export function findSymbols(table: SymbolTable, query: string, { limit, differing }: Wanted): readonly FoundSymbol[] {
  const { hidden, extra } = differing ?? { hidden: new Set(), extra: [] }
  const symbolByKey = new Map<string, FoundSymbol>()
  const plain = query.slice(query.lastIndexOf('.') + 1)
  const namesakes = extra.filter(({ facts }) => facts && symbolNames(facts.symbols).has(plain))
  const { list } = table.find({ by: 'symbol', value: plain })
  take(list, namesakes, symbol => symbol.name === query || wholeName(symbol) === query)
  const lowerQuery = query.toLowerCase()
  take(holding(table, lowerQuery) ?? table.all(), extra, symbol => wholeName(symbol).toLowerCase().includes(lowerQuery))
  return [...symbolByKey.values()].slice(0, limit)

  function take(
    files: readonly WithSymbols[],
    more: readonly WithSymbols[],
    matches: (symbol: CodeSymbol) => boolean,
  ): void {
    for (const { path, facts } of inOrder(files, more)) {
      if (symbolByKey.size >= limit) return
      const all = unpackSymbols(facts?.symbols ?? '')
      const matching = all.filter(matches)
      const onLine = matching.length > 0 ? Map.groupBy(all, ({ from }) => from) : undefined
      for (const symbol of matching) {
        // Counts results: one file may hold the same symbol more than once.
        if (symbolByKey.size >= limit) return
        const sharesLine = (onLine?.get(symbol.from)?.length ?? 0) > 1
        symbolByKey.set(`${path}:${symbol.from} ${wholeName(symbol)}`, {
          ...symbol,
          path,
          ...(sharesLine && { sharesLine }),
        })
      }
    }
  }

  /** Yields the files this caller sees, in path order. */
  function* inOrder(files: readonly WithSymbols[], more: readonly WithSymbols[]): Iterable<WithSymbols> {
    let next = 0
    for (const entry of files) {
      if (hidden.has(entry.path)) continue
      for (let stagedEntry = more[next]; stagedEntry && stagedEntry.path < entry.path; stagedEntry = more[++next])
        yield stagedEntry
      yield entry
    }
    yield* more.slice(next)
  }
}

/** Returns the files that may have such a symbol, in path order, or undefined if there are too many. */
function holding(table: SymbolTable, wanted: string): readonly WithSymbols[] | undefined {
  let fewest: readonly WithSymbols[] | undefined
  // Each part of `Class.method` occurs in some name.
  for (const part of new Set(wanted.split('.'))) {
    const files = part === '' ? undefined : table.naming(part)
    if (files && files.length < (fewest?.length ?? Infinity)) fewest = files
  }
  return fewest
}
