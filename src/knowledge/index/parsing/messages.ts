import type { FileRecord } from '../table/entry.ts'

/** A file to be read and parsed. */
export interface Wanted {
  readonly path: string
  readonly stamp: string
  /** Nothing of what it says may be kept. */
  readonly isUnkept?: boolean
}

export interface Parsed extends Wanted, FileRecord {
  /** Hash of its content; undefined if it could not be read, which means that it is gone or about to be told of. */
  readonly content?: string
}

export interface WorkerSettings {
  /** The workspace. */
  readonly directory: string
  readonly cacheFile: string | undefined
  /** Whoever else has work to do goes first, if the system lets it. */
  readonly isPatient?: boolean
}

export type ToWorker =
  /** The next piece of what was kept: answered by `Kept`. */
  | { readonly type: 'load' }
  /** Answered by what each file says, `Parsed`, which is kept. */
  | { readonly type: 'parse'; readonly files: readonly Wanted[] }
  /** Forget what is kept of other paths than these. */
  | { readonly type: 'prune'; readonly paths: readonly string[] }

export interface Kept {
  readonly files: readonly Parsed[]
  readonly isLast: boolean
}
