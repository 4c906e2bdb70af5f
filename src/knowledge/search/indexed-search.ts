import type { FindOptions, FoundFiles, Grepped, GrepOptions } from './types.ts'

interface LeaveOut {
  /** Files that are neither searched, listed nor counted: somebody else answers for them, or nobody. */
  readonly leaveOut: readonly string[]
  /** So are all files that hold secrets, which it knows by their names. */
  readonly secrets?: true
}

export interface IndexedGrep extends Omit<Grepped, 'filesHidden'> {
  /** Files that the answer is not for, whether they are asked for or not: they are searched each by itself. */
  readonly unread?: readonly string[]
}

/**
 * A search that is prepared already and answers from what it knows, or not at all: undefined means that it cannot answer
 * now, and that the files have to be scanned. It knows no rules and no staged changes: what they concern is left out.
 */
export interface IndexedSearch {
  /** All files that there are to search; the same array for as long as nothing came or went. */
  files(): Promise<readonly string[] | undefined>
  grep(options: GrepOptions, more: LeaveOut): Promise<IndexedGrep | undefined>
  find(
    directory: string,
    glob: string,
    options: FindOptions,
    more: LeaveOut,
  ): Promise<Omit<FoundFiles, 'filesHidden'> | undefined>
}
