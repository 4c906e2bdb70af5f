import type { DiskState } from './disk.ts'
import type { Identity } from './workspace.ts'

/** What shall be at a path: new bytes, or something that is on disk already, here or under another name. */
export type State =
  | { readonly type: 'absent' }
  | { readonly type: 'directory'; readonly mode: number }
  | NewFile
  | KeptFile
  | KeptLink
  | NewLink

export interface NewFile {
  readonly type: 'file'
  readonly bytes: Buffer
  readonly hash: string
  readonly mode: number
  /** The path whose file this was before it was moved and changed. */
  readonly movedFrom?: string
  /** When it was staged, where that was noted: a staged file has no other time before it lands. */
  readonly stagedMs?: number
}

export interface KeptFile {
  readonly type: 'file'
  /** Where its bytes are on disk: elsewhere for a move, here for a change of mode. */
  readonly source: string
  readonly identity: Identity
  readonly hash: string
  readonly mode: number
}

export interface KeptLink {
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
  /** What was on disk when the path was first touched: the precondition of the commit. */
  readonly base: DiskState
  readonly state: State
}
