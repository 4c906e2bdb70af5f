import type { Visibility } from './table/answer.ts'
import type {
  FileFacts,
  IndexAnswer,
  IndexQuery,
  IndexStatus,
  Place,
  QueryOptions,
  SymbolsAnswer,
  SymbolsOptions,
} from './types.ts'

/** Facts of all files of a workspace, held by one process for all callers. Callers apply the rules. */
export interface RepositoryIndex {
  query(query: IndexQuery, options: QueryOptions & { readonly sight?: Visibility }): Promise<IndexAnswer>
  /** Returns symbols whose name contains the query, exact matches first. */
  symbols(query: string, options: SymbolsOptions & { readonly sight?: Visibility }): Promise<SymbolsAnswer>
  /** Returns undefined if the file is not in the tree or its language is unknown. */
  facts(path: string, sight?: Visibility): Promise<FileFacts | undefined>
  /** Returns the exports at once; undefined if the file, or one whose names it re-exports, is not up to date. */
  glance(path: string, sight?: Visibility): Promise<Glance | undefined>
  /**
   * Returns the innermost symbol around each place at once, with its containers; undefined for files not up to date. With
   * `isSettled`, the caller has settled the tree for the same answer.
   */
  around(places: readonly Place[], isSettled?: boolean): Promise<readonly (string | undefined)[]>
  status(sight?: Visibility): Promise<IndexStatus>
  /**
   * Returns every path, including recently removed ones, and a number for this list. Omits the paths if the caller has
   * that number.
   */
  paths(known?: number, waitMs?: number): Promise<{ readonly version: number; readonly paths?: readonly string[] }>
  close(): Promise<void>
}

/** Exports of a file, and the files they come from. */
export interface Glance {
  readonly facts: Pick<FileFacts, 'exports'>
  readonly through: readonly string[]
}
