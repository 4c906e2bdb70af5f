import type { PackedLines } from '../search/index/packed-lines.ts'
import type { IndexedGrep } from '../search/indexed-search.ts'
import type { FindOptions, FoundFiles, GrepOptions } from '../search/types.ts'

export interface FilesQuestion {
  /** The version that the caller already has. */
  readonly known?: string | undefined
}

export interface FilesAnswer {
  readonly version: string
  /** Left out if the caller has them. */
  readonly files?: readonly string[]
}

/** Bounds of a search besides its options. */
interface Bounds {
  readonly leaveOut: readonly string[]
  /** Version of the files that `leaveOut` was computed from; with another version there is no answer. */
  readonly version?: string | undefined
}

export interface GrepQuestion extends Bounds {
  readonly options: Omit<GrepOptions, 'signal'>
  /** The caller may not read files with secrets. */
  readonly secrets?: true | undefined
}

/** The lines are packed, unless `matches` or `files` has the answer. */
export interface GrepAnswer extends IndexedGrep {
  readonly packed?: PackedLines
  /** The symbol around each line, if it was asked for. */
  readonly names?: readonly (string | undefined)[]
}

export interface FindQuestion extends Bounds, FilesQuestion {
  readonly directory: string
  readonly glob: string
  readonly options: Omit<FindOptions, 'signal'>
}

export interface FindAnswer extends Omit<FoundFiles, 'filesHidden' | 'files'>, FilesAnswer {
  /** Selects the found files among all; otherwise `files` lists them. */
  readonly picked?: string
}
