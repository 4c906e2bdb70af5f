import type { CodeSymbol } from '../model/code-symbol.ts'

/** What parsing one file says. */
export interface FileFacts {
  readonly language: string
  /** Names that other files can import, in order, `export *` already followed. */
  readonly exports: readonly string[]
  /** Framework and kind, found from the code, sorted. */
  readonly tags: readonly string[]
  readonly symbols: readonly CodeSymbol[]
  /** Why it could not be parsed, in words. */
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
  /** In the order of paths. */
  readonly files: readonly IndexedFile[]
  /** All that there are, also those past the limit. */
  readonly total: number
  readonly repoHash: string
  /** Every file was looked at, or the index was told of every change. */
  readonly current: boolean
  /** Files that could not be parsed, of all that the caller may read: what is looked for may be there. */
  readonly unparsed: readonly UnparsedFile[]
}

export interface UnparsedFile {
  readonly path: string
  /** In words. */
  readonly why: string
}

/** A symbol of some file, as the index has it. */
export interface FoundSymbol extends CodeSymbol {
  readonly path: string
  /** Others begin on the same line. */
  readonly sharesLine?: true
}

export interface SymbolsAnswer extends Pick<IndexAnswer, 'current' | 'unparsed'> {
  readonly symbols: readonly FoundSymbol[]
}

export interface SymbolsOptions {
  readonly limit: number
  /** How long it waits for files that are still to be read; as long as other questions unless given. */
  readonly waitMs?: number
}

export interface QueryOptions extends SymbolsOptions {
  readonly skip?: number
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
  /** Files whose facts are still to be found. */
  readonly pending: number
  readonly unparsed: readonly UnparsedFile[]
}

/** What is known of the code of a workspace, asked without walking it. Files that the call may not read are left out. */
export interface IndexEngine {
  query(query: IndexQuery, options: QueryOptions): Promise<IndexAnswer>
  /** Symbols whose name holds the query, whatever its case; those that are named exactly so first. */
  symbols(query: string, options: SymbolsOptions): Promise<SymbolsAnswer>
  /** Facts of one file as it is now, staged changes included; undefined if its language is not known. */
  facts(path: string): Promise<FileFacts | undefined>
  /** The same from an index that is open already, left out where it takes longer than a glance; undefined at once where none is. */
  known(path: string): Promise<FileFacts | undefined> | undefined
  status(): Promise<IndexStatus>
}
