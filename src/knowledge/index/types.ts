import type { CodeSymbol } from '../../languages/file-model/code-symbol.ts'

/** Result of parsing one file. */
export interface FileFacts {
  readonly language: string
  /** Names that other files can import, in order, with `export *` resolved. */
  readonly exports: readonly string[]
  /** Framework and kind, detected in the code, sorted. */
  readonly tags: readonly string[]
  readonly symbols: readonly CodeSymbol[]
  /** Reason why it could not be parsed. */
  readonly unparsed?: string
}

export interface IndexedFile {
  readonly path: string
  readonly exports: readonly string[]
  readonly tags: readonly string[]
  readonly size: number
  readonly mtimeMs: number
}

export type IndexQuery =
  | { readonly by: 'export' | 'tag' | 'prefix'; readonly value: string }
  | { readonly by: 'symbol'; readonly value: string }
  | { readonly by: 'all' }

export interface IndexAnswer {
  /** In path order. */
  readonly files: readonly IndexedFile[]
  /** Number of all files, including those past the limit. */
  readonly total: number
  readonly repoHash: string
  /** Every file was checked, or the index was notified of every change. */
  readonly current: boolean
  /** Only the files of the answer were checked: it may lack others that changed since. */
  readonly unchecked?: true
  /** Unparsed files among those the caller may read: they may hold what is missing. */
  readonly unparsed: readonly UnparsedFile[]
}

export interface UnparsedFile {
  readonly path: string
  /** Human-readable. */
  readonly why: string
}

/** A symbol in the index. */
export interface FoundSymbol extends CodeSymbol {
  readonly path: string
  /** Other symbols begin on the same line. */
  readonly sharesLine?: true
}

export interface SymbolsAnswer extends Pick<IndexAnswer, 'current' | 'unparsed'> {
  readonly symbols: readonly FoundSymbol[]
  /** Files with syntax errors in which such a symbol may be lost. */
  readonly damaged: readonly string[]
}

export interface SymbolsOptions {
  readonly limit: number
  /** How long to wait for files not yet read; default as for other requests. */
  readonly waitMs?: number
}

export interface QueryOptions extends SymbolsOptions {
  readonly skip?: number
  /** An answer in which only the files that it names were checked will do. */
  readonly isQuick?: boolean
}

/** Lines of a file, 1-based and inclusive. */
export interface Place {
  readonly path: string
  readonly from: number
  readonly to: number
}

export interface IndexStatistics {
  readonly totalFiles: number
  readonly totalExports: number
  readonly byTag: Readonly<Record<string, number>>
}

export interface IndexStatus extends IndexStatistics {
  readonly repoHash: string
  readonly generatedAt: number
  readonly state: 'building' | 'current' | 'behind'
  /** Files not parsed yet. */
  readonly pending: number
  readonly unparsed: readonly UnparsedFile[]
}

/** Answers questions on the code of a workspace without walking it. Leaves out files that the call may not read. */
export interface IndexEngine {
  query(query: IndexQuery, options: QueryOptions): Promise<IndexAnswer>
  /** Returns symbols whose name contains the query, regardless of case; exact matches first. */
  symbols(query: string, options: SymbolsOptions): Promise<SymbolsAnswer>
  /** Returns the facts of one file as staged, or undefined if its language is unknown. */
  facts(path: string): Promise<FileFacts | undefined>
  /** Returns exports from an open index, undefined if they are not ready at once or no index is open. */
  known(path: string): Promise<Pick<FileFacts, 'exports'> | undefined> | undefined
  /** Returns the innermost symbol around each place, as far as an open index knows it at once. */
  around(places: readonly Place[]): Promise<readonly (string | undefined)[]>
  status(): Promise<IndexStatus>
}
