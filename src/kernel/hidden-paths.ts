/**
 * Paths that rules hide from reading. Walkers of the workspace ask for each path, for a command or a language server.
 */
export interface HiddenPaths {
  /** Reports whether this path is hidden. A hidden directory hides everything in it. */
  matches(path: string, isDirectory?: boolean): boolean
  /** Reports whether everything below this directory is hidden. */
  covers(directory: string): boolean
  /** Reports whether anything below this directory could be hidden. */
  reaches(directory: string): boolean
  /** Reports whether a rule names something below this directory. */
  names(directory: string): boolean
  /** Set if hidden paths do not even show by name: says so, and names the missing permission. */
  readonly unseen?: string
  /** The paths that rules hide without a default that closes the workspace, which does not apply to files elsewhere. */
  readonly byRules?: Pick<HiddenPaths, 'matches'>
}
