import type { Visibility } from './table/answer.ts'
import type {
  FileFacts,
  IndexAnswer,
  IndexQuery,
  IndexStatus,
  QueryOptions,
  SymbolsAnswer,
  SymbolsOptions,
} from './types.ts'

/** What is known of all files of a workspace, held by one process for all who ask. No rule is applied here: that is the caller's. */
export interface RepositoryIndex {
  query(query: IndexQuery, options: QueryOptions & { readonly sight?: Visibility }): Promise<IndexAnswer>
  /** Symbols whose name holds the query, those that are named exactly so first. */
  symbols(query: string, options: SymbolsOptions & { readonly sight?: Visibility }): Promise<SymbolsAnswer>
  /** Undefined for a file that is not in the tree or whose language is not known. */
  facts(path: string, sight?: Visibility): Promise<FileFacts | undefined>
  /** The same at once: nothing where the file, or one whose names it passes on, is not known as it is now. */
  glance(path: string, sight?: Visibility): Promise<Glance | undefined>
  status(sight?: Visibility): Promise<IndexStatus>
  /** Every path, also of files that went of late, and a number that is the same as long as these are the paths; no paths to whoever has that number. */
  paths(known?: number, waitMs?: number): Promise<{ readonly version: number; readonly paths?: readonly string[] }>
  close(): Promise<void>
}

/** What a file says, and the files that this comes from. */
export interface Glance {
  readonly facts: FileFacts
  readonly through: readonly string[]
}
