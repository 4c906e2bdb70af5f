import type { Code } from '../../../../kernel/error.ts'
import type { Question, Rows } from '../database/ask-database.ts'

/** A file of the tree of a graph. */
export interface TreeFile {
  readonly path: string
  /** Git's blob name of its content, if known. */
  readonly blob?: string
  /** Its content, if it is neither on disk nor in git. */
  readonly bytes?: Uint8Array
}

/** A file with a blob name. */
export type BlobFile = TreeFile & { readonly blob: string }

export interface Tree {
  /** The real path of the workspace. */
  readonly directory: string
  /** Source of the contents that are not included. */
  readonly from: 'disk' | 'git'
  readonly files: readonly TreeFile[]
}

/** The rows of a query, and the files that the graph lacks. */
export interface GraphRows extends Rows {
  /** Files of the tree that could not be parsed: the graph lacks them. */
  readonly unread: readonly string[]
}

export type ToHost =
  | { readonly id: number; readonly type: 'prepare'; readonly tree: Tree }
  | { readonly id: number; readonly type: 'ask'; readonly key: string; readonly question: Question }

export type FromHost =
  | { readonly id: number; readonly type: 'prepared'; readonly key: string }
  | { readonly id: number; readonly type: 'rows'; readonly rows: GraphRows }
  /** The graph of this key no longer exists. */
  | { readonly id: number; readonly type: 'gone' }
  | {
      readonly id: number
      readonly type: 'failed'
      readonly message: string
      readonly hint?: string
      /** Code of an expected failure. */
      readonly code?: Code
    }
