import type { UnreadableFile } from './unreadable-files.ts'

/** How near an answer is to the files as they are now. */
export interface Freshness {
  /** Read from the files just now, or from the resident index. */
  readonly source: 'scan' | 'index'
  /** How the index knew that it was current: told of every change, or looked at every file first. */
  readonly checked?: 'watch' | 'stat'
}

/** One search of contents, in words that every contract's search can be said in. */
export interface GrepOptions {
  /** A line with any of these is found. */
  readonly patterns: readonly string[]
  /** ripgrep's regular expressions; plain text unless set. */
  readonly regex?: boolean | undefined
  readonly ignoreCase?: boolean | undefined
  readonly word?: boolean | undefined
  /** Lines that hold none of the patterns. */
  readonly invert?: boolean | undefined
  /** A match may go over line ends. */
  readonly multiline?: boolean | undefined
  /** Directory to search below, one file, or `ref:ID`; the whole workspace unless given. */
  readonly directory?: string
  /**
   * Only files that one of these globs names, and none that a glob after `!` names or that lies below what it names; the
   * last that names a file decides.
   * They are matched with paths in the workspace; one without `/` names files anywhere.
   */
  readonly globs?: readonly string[] | undefined
  /** Only files of these types, as ripgrep calls them. */
  readonly types?: readonly string[] | undefined
  /** What the types mean; the search itself finds out. */
  readonly typeGlobs?: readonly string[]
  /** Each match by itself, without the rest of its line. */
  readonly onlyMatching?: boolean | undefined
  /** Files and directories whose names begin with a dot too; yes unless false. */
  readonly hidden?: boolean | undefined
  /** Lines around each match. */
  readonly before?: number | undefined
  readonly after?: number | undefined
  /** Matches to pass over, for the next page; with `only`, files. */
  readonly skip?: number
  readonly maxResults: number
  /** Only paths and counts are wanted: no line is read into the answer. */
  readonly only?: 'files' | 'counts'
  /** Every file is looked at before the answer, whatever the index believes. */
  readonly strict?: boolean | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface GrepMatch {
  readonly path: string
  /** 1-based; of a match over several lines the first. */
  readonly line: number
  readonly text: string
  /** There with `before` or `after`, as far as the file has them. */
  readonly context?: { readonly before: readonly string[]; readonly after: readonly string[] }
}

export interface Grepped {
  /** In the order of paths, then of lines. */
  readonly matches: readonly GrepMatch[]
  /** With `only`, the files that hold a match and how many lines each; in the order of paths. */
  readonly files?: readonly { readonly path: string; readonly count: number }[]
  /** All matching lines that there are, also those past the limit; with `onlyMatching` all matches. */
  readonly total: number
  /** Files that hold a match, also those past the limit. */
  readonly filesFound: number
  readonly filesSearched: number
  /** All files below the directory that rules keep from being read, whatever the globs: else they would tell their names. */
  readonly filesHidden: number
  /** What was to be searched and may not be read by this user. */
  readonly unreadable?: Unreadable
  readonly timedOut: boolean
  readonly freshness: Freshness
}

export interface Unreadable {
  /** All of them, files and directories. */
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
  /** All that there are, also those past the limit. */
  readonly total: number
  /** All files below the directory that rules keep from being read, whatever the glob: else it would tell their names. */
  readonly filesHidden: number
  /** Directories that may not be read by this user. */
  readonly unreadable?: Unreadable
  readonly timedOut: boolean
  readonly freshness: Freshness
}

/** Finds files and lines as staged, within what the call was granted. */
export interface SearchEngine {
  /** Files below a directory whose path from there matches the glob, with their paths in the workspace. */
  find(directory: string, glob: string, options: FindOptions): Promise<FoundFiles>
  /** Lines of text files that hold a pattern. */
  grep(options: GrepOptions): Promise<Grepped>
}
