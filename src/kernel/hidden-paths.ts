/** What rules keep from being read, asked path by path by whoever walks the workspace for a command or a language server. */
export interface HiddenPaths {
  /** A directory that is hidden is so with all that is in it. */
  matches(path: string, isDirectory?: boolean): boolean
  /** Everything below this directory is hidden. */
  covers(directory: string): boolean
  /** Something below this directory could be hidden. */
  reaches(directory: string): boolean
  /** A rule spells out something below this directory. */
  names(directory: string): boolean
  /** What is hidden is not even there by name; says so, and which permission is missing. */
  readonly unseen?: string
  /** What rules alone hide, where a default closes the workspace besides: that says nothing of files elsewhere. */
  readonly byRules?: Pick<HiddenPaths, 'matches'>
}
