import type { FileRecord } from '../table/entry.ts'

/** A file to be read and parsed. */
export interface Wanted {
  readonly path: string
  readonly stamp: string
  /** None of its facts may be stored. */
  readonly isUnkept?: boolean
}

export interface Parsed extends Wanted, FileRecord {
  /** Hash of its content; undefined if unreadable, which means it is gone or a notification will follow. */
  readonly content?: string
}

export interface WorkerSettings {
  /** The workspace. */
  readonly directory: string
  readonly cacheFile: string | undefined
  /** Runs at low priority, if the system allows it. */
  readonly isPatient?: boolean
}

export type ToWorker =
  /** Requests the next piece of stored facts, as `StoredFacts`. */
  | { readonly type: 'load' }
  /** Requests the facts of each file, as `Parsed`, and stores them. */
  | { readonly type: 'parse'; readonly files: readonly Wanted[] }
  /** Removes stored facts of other paths. */
  | { readonly type: 'prune'; readonly paths: readonly string[] }

export interface StoredFacts {
  readonly files: readonly Parsed[]
  readonly isLast: boolean
}
