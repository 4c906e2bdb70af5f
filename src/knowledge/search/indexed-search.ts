import { isBelow } from './search-view.ts'
import type { FindOptions, FoundFiles, Grepped, GrepOptions } from './types.ts'

export interface LeaveOut {
  /** Files that are neither searched, listed nor counted: another source answers for them, or none. */
  readonly leaveOut: readonly string[]
  /** Also leaves out all files that hold secrets, which it knows by name. */
  readonly secrets?: true
}

export interface IndexedGrep extends Omit<Grepped, 'filesHidden' | 'secretsLeftOut'> {
  /** The files with secrets below the directory that it left out, without those of `leaveOut`. */
  readonly secretsLeftOut?: number
  /** Files the answer does not cover, wanted or not; search each directly. */
  readonly unread?: readonly string[]
}

/**
 * A prepared search that answers from memory. Undefined means that it cannot answer now and the files must be scanned.
 * It knows neither rules nor staged changes: the caller leaves out the files they concern.
 */
export interface IndexedSearch {
  /** Returns all searchable files; the same array until a file is added or removed. */
  files(): Promise<readonly string[] | undefined>
  grep(options: GrepOptions, more: LeaveOut): Promise<IndexedGrep | undefined>
  find(
    directory: string,
    glob: string,
    options: FindOptions,
    more: LeaveOut,
  ): Promise<Omit<FoundFiles, 'filesHidden'> | undefined>
}

/** Counts files with secrets that an index leaves out below the directory of a search. */
export function countSecrets(
  secrets: readonly string[],
  { directory = '.' }: GrepOptions,
  leaveOut: readonly string[],
) {
  const isLeftOut = new Set(secrets.length > 0 ? leaveOut : [])
  return { secretsLeftOut: secrets.filter(path => !isLeftOut.has(path) && isBelow(path, { directory })).length }
}
