import type { Code } from '../../../../kernel/error.ts'
import type { Question, Rows } from '../database/ask-database.ts'

/** A file of the tree that a graph is made of. */
export interface TreeFile {
  readonly path: string
  /** Git's name for its content, where that is known. */
  readonly blob?: string
  /** Its content, where that lies neither on disk nor in git. */
  readonly bytes?: Uint8Array
}

/** One whose content has a name. */
export type BlobFile = TreeFile & { readonly blob: string }

export interface Tree {
  /** The real path of the workspace. */
  readonly directory: string
  /** Where what is not handed over is read. */
  readonly from: 'disk' | 'git'
  readonly files: readonly TreeFile[]
}

/** What the database found, and what it could not know. */
export interface GraphRows extends Rows {
  /** Files of the tree that could not be parsed: nothing of them is in the graph. */
  readonly unread: readonly string[]
}

export type ToHost =
  | { readonly id: number; readonly type: 'prepare'; readonly tree: Tree }
  | { readonly id: number; readonly type: 'ask'; readonly key: string; readonly question: Question }

export type FromHost =
  | { readonly id: number; readonly type: 'prepared'; readonly key: string }
  | { readonly id: number; readonly type: 'rows'; readonly rows: GraphRows }
  /** The graph of this key is no longer there. */
  | { readonly id: number; readonly type: 'gone' }
  | {
      readonly id: number
      readonly type: 'failed'
      readonly message: string
      readonly hint?: string
      /** Of a failure that was to be expected. */
      readonly code?: Code
    }
