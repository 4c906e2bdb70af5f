import type { AskOptions } from '../../kernel/ask-options.ts'
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
  query(question: IndexQuestion): Promise<IndexAnswer>
  /** Returns symbols whose name contains the query, exact matches first. */
  symbols(question: SymbolsOptions & Sighted & { readonly query: string }): Promise<SymbolsAnswer>
  /** Returns undefined if the file is not in the tree, its language is unknown, or reading it alone is faster. */
  facts(question: FileQuestion): Promise<FileFacts | undefined>
  /** Returns the exports at once; undefined if the file, or one whose names it re-exports, is not up to date. */
  glance(question: FileQuestion, options?: AskOptions): Promise<Glance | undefined>
  /** Returns the innermost symbol around each place at once, with its containers; undefined for files not up to date. */
  around(question: AroundQuestion, options?: AskOptions): Promise<readonly (string | undefined)[]>
  status(question: Sighted): Promise<IndexStatus>
  /**
   * Returns every path, including recently removed ones, and a name for this list, unique to it. Omits the paths if the
   * caller has that list.
   */
  paths(question: PathsQuestion): Promise<{ readonly version: string; readonly paths?: readonly string[] }>
}

export interface OpenRepositoryIndex extends RepositoryIndex {
  close(): Promise<void>
}

interface Sighted {
  readonly sight?: Visibility | undefined
}

export interface IndexQuestion extends QueryOptions, Sighted {
  readonly query: IndexQuery
}

export interface FileQuestion extends Sighted {
  readonly path: string
}

export interface AroundQuestion {
  readonly places: readonly Place[]
  /** The caller has settled the tree for the same answer. */
  readonly isSettled?: boolean
}

interface PathsQuestion {
  readonly known?: string | undefined
  readonly waitMs?: number | undefined
}

/** Exports of a file, and the files they come from. */
export interface Glance {
  readonly facts: Pick<FileFacts, 'exports'>
  readonly through: readonly string[]
}
