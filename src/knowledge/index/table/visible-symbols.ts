import type { FoundSymbol } from '../types.ts'
import { differing, type Visibility } from './answer.ts'
import type { FileTable } from './file-table.ts'
import { findSymbols } from './find-symbols.ts'

/** Returns symbols whose name contains the query, from files as a caller sees them. */
export const visibleSymbols = (
  table: FileTable,
  query: string,
  { limit, sight }: { readonly limit: number; readonly sight?: Visibility | undefined },
): readonly FoundSymbol[] => findSymbols(table, query, { limit, differing: differing(table, sight) })
