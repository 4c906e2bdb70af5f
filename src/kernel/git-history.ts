/** What the history of the workspace's repository holds; looked up only where a command line makes it matter. */
export interface GitHistory {
  /**
   * The paths in the history and in the index for which `isDenied` holds; undefined if that cannot be known. `rules`
   * names what `isDenied` goes by, since what was looked up is kept.
   */
  denied(rules: string, isDenied: (path: string) => boolean): readonly string[] | undefined
  /** Reports whether a command is shown something else at this path, so that nothing can be restored there for it to read. */
  isHidden(path: string): boolean
  /** Reports whether the repository has this; true if that cannot be known. */
  has(what: HistoryPart): boolean
}

/** References that lead to something else than a commit; notes, whose text may be that of any file. */
export type HistoryPart = 'other references' | 'notes'
