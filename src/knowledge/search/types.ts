import type { UnreadableFile } from './unreadable-files.ts'

/** How closely an answer reflects the current files. */
export interface Freshness {
  /** Read from the files now, or from the resident index. */
  readonly source: 'scan' | 'index'
  /** How the index was known to be current: by notifications of changes, or by checking every file. */
  readonly checked?: 'watch' | 'stat'
}

/** One search of contents, general enough for every contract's search. */
export interface GrepOptions {
  /** Finds a line with any of these. */
  readonly patterns: readonly string[]
  /** Uses ripgrep's regular expressions; plain text by default. */
  readonly regex?: boolean | undefined
  readonly ignoreCase?: boolean | undefined
  readonly word?: boolean | undefined
  /** Finds lines without any of the patterns. */
  readonly invert?: boolean | undefined
  /** A match may cross line ends. */
  readonly multiline?: boolean | undefined
  /** Directory to search, one file, or `ref:ID`; default is the whole workspace. */
  readonly directory?: string
  /**
   * Only files that match one of these globs. A glob after `!` excludes files and everything below directories; the
   * last glob that matches a file decides. Globs match paths in the workspace; one without `/` matches names anywhere.
   */
  readonly globs?: readonly string[] | undefined
  /** Only files of these types, by ripgrep's names. */
  readonly types?: readonly string[] | undefined
  /** Globs of the types; the search determines them. */
  readonly typeGlobs?: readonly string[]
  /** Returns each match separately, without the rest of its line. */
  readonly onlyMatching?: boolean | undefined
  /** Includes files and directories whose names begin with a dot; default true. */
  readonly hidden?: boolean | undefined
  /** Context lines around each match. */
  readonly before?: number | undefined
  readonly after?: number | undefined
  /** Matches to skip for the next page; with `only`, files. */
  readonly skip?: number
  readonly maxResults: number
  /** Returns paths and counts only, without lines. */
  readonly only?: 'files' | 'counts'
  /** Checks every file before the answer, even if the index is believed current. */
  readonly strict?: boolean | undefined
  /** Names what encloses each line, if an index knows it and nothing is staged. */
  readonly names?: boolean
  /** Leaves binary files out of `filesSearched`. Without an index each file is then read twice. */
  readonly countsText?: boolean
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface GrepMatch {
  readonly path: string
  /** 1-based; the first line of a match over several. */
  readonly line: number
  readonly text: string
  /** Set with `before` or `after`, as far as the file has them. */
  readonly context?: { readonly before: readonly string[]; readonly after: readonly string[] }
  /** What encloses the line, if it was asked for and is known. */
  readonly name?: string
}

export interface Grepped {
  /** In path order, then line order. */
  readonly matches: readonly GrepMatch[]
  /** With `only`: files with a match and the lines in each, in path order. */
  readonly files?: readonly { readonly path: string; readonly count: number }[]
  /** Number of all matching lines, including those past the limit; with `onlyMatching`, of all matches. */
  readonly total: number
  /** Files with a match, including those past the limit. */
  readonly filesFound: number
  readonly filesSearched: number
  /** All files below the directory that rules hide. Ignores globs, because a narrowed count would reveal names. */
  readonly filesHidden: number
  /** The other files below it that were left out because they hold secrets by their names; counted the same way. */
  readonly secretsLeftOut: number
  /** Files and directories in the search that this user may not read. */
  readonly unreadable?: Unreadable
  readonly timedOut: boolean
  readonly freshness: Freshness
  /** Every match has its name, if one is known. */
  readonly isNamed?: boolean
}

export interface Unreadable {
  /** Number of all files and directories. */
  readonly count: number
  /** The first of them. */
  readonly files: readonly UnreadableFile[]
}

export interface FindOptions {
  readonly maxResults: number
  readonly maxDepth: number
  readonly skip?: number
  readonly hidden?: boolean
  readonly strict?: boolean
  readonly signal?: AbortSignal
}

export interface FoundFiles {
  /** Relative to the workspace, in the order of a walk. */
  readonly files: readonly string[]
  /** Number of all files, including those past the limit. */
  readonly total: number
  /** All files below the directory that rules hide. Ignores the glob, because a narrowed count would reveal names. */
  readonly filesHidden: number
  /** Directories that this user may not read. */
  readonly unreadable?: Unreadable
  readonly timedOut: boolean
  readonly freshness: Freshness
}

/** Finds files and lines as staged, within the call's grants. */
export interface SearchEngine {
  /** Returns files whose path below the directory matches the glob, with their paths in the workspace. */
  find(directory: string, glob: string, options: FindOptions): Promise<FoundFiles>
  /** Returns lines of text files that match a pattern. */
  grep(options: GrepOptions): Promise<Grepped>
}
