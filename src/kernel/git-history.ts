/** The history of the workspace's repository, looked up only if a command line depends on it. */
export interface GitHistory {
  /**
   * Returns the paths in the history and in the index for which `isDenied` holds; undefined if unknown. Results are
   * cached under `rules`, which names the rules behind `isDenied`.
   */
  denied(rules: string, isDenied: (path: string) => boolean): readonly string[] | undefined
  /**
   * Reports whether a command sees something else at this path, so that nothing can be restored there for it to read.
   */
  isHidden(path: string): boolean
  /** Reports whether the repository has this part; true if unknown. */
  has(what: HistoryPart): boolean
}

/** References that lead to something other than a commit; notes, whose text may be that of any file. */
export type HistoryPart = 'other references' | 'notes'
