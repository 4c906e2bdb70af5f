import type { FoundSymbol } from '../types.ts'
import { differing, type Sight } from './answer.ts'
import type { FileTable } from './file-table.ts'
import { findSymbols } from './find-symbols.ts'

/** Symbols whose name holds the query, of files as a caller sees them. */
export const seenSymbols = (
  table: FileTable,
  query: string,
  { limit, sight }: { readonly limit: number; readonly sight?: Sight | undefined },
): readonly FoundSymbol[] => findSymbols(table, query, { limit, differing: differing(table, sight) })
