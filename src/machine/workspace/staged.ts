import type { DiskState } from './disk.ts'
import type { Identity } from './workspace.ts'

/** The staged state of a path: new bytes, or content already on disk, here or under another name. */
export type State =
  | { readonly type: 'absent' }
  | { readonly type: 'directory'; readonly mode: number }
  | NewFile
  | DiskFile
  | DiskLink
  | NewLink

export interface NewFile {
  readonly type: 'file'
  readonly bytes: Buffer
  readonly hash: string
  readonly mode: number
  /** Previous path of a file that was moved and changed. */
  readonly movedFrom?: string
  /** Time of staging, if recorded: a staged file has no other time before it lands. */
  readonly stagedMs?: number
  /** Holds changes of others that the session has not read. */
  readonly holdsUnread?: boolean
}

export interface DiskFile {
  readonly type: 'file'
  /** Place of its bytes on disk: elsewhere for a move, here for a change of mode. */
  readonly source: string
  readonly identity: Identity
  readonly hash: string
  readonly mode: number
}

export interface DiskLink {
  readonly type: 'symlink'
  readonly source: string
  readonly identity: Identity
  readonly target: string
}

export interface NewLink {
  readonly type: 'symlink'
  readonly target: string
}

export interface Staged {
  /** State on disk when the path was first touched: the precondition of the commit. */
  readonly base: DiskState
  readonly state: State
}
