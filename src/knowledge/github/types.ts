import type { IndexAnswer, IndexQuery } from '../index/types.ts'
import type { Grepped, GrepOptions } from '../search/types.ts'

/** What GitHub gives of one file at all. */
export const MOST_BYTES = 100 * 1024 * 1024

/** How a product's repository is reached. Whoever holds this holds its secrets. */
export interface Connection {
  /** `owner/name`. */
  readonly repository: string
  /** A branch, a tag or a commit; the default branch unless given. */
  readonly ref?: string
  /** Where the REST API is, for GitHub Enterprise; `https://api.github.com` unless given. */
  readonly baseUrl?: string
  readonly token?: string
  /** An installation of a GitHub App, in place of a token. */
  readonly app?: AppInstallation
}

export interface AppInstallation {
  /** The App's id, or its client id. */
  readonly id: string | number
  readonly installationId: string | number
  /** PEM. */
  readonly privateKey: string
}

/** One name in a repository; a link is a file whose content is where it points. */
export interface RepositoryEntry {
  readonly path: string
  readonly kind: 'file' | 'link' | 'directory'
  /** Of a file or link; 0 for a directory. */
  readonly size: number
  readonly sha: string
}

/** What one tree holds, or as much of it as GitHub gives at once. */
export interface TreeListing {
  readonly entries: readonly RepositoryEntry[]
  readonly truncated: boolean
}

/** A repository at one version, read-only: what it gives never changes. */
export interface RepositorySource {
  /** The commit; empty where the repository has none. */
  readonly version: string
  /** Every file, in the order of paths; neither links nor submodules. */
  files(): Promise<readonly RepositoryEntry[]>
  /** The paths of files that rules keep from being read. */
  hidden(): Promise<readonly string[]>
  /** What lies in a directory, in the order of paths. */
  directory(path: string): Promise<readonly RepositoryEntry[]>
  /** The file at a path, links followed inside the repository; `maxBytes` is enough of it where that is said. */
  read(path: string, maxBytes?: number): Promise<RepositoryBytes>
}

export interface RepositoryBytes {
  readonly bytes: Buffer
  /** Of the whole file. */
  readonly size: number
}

/** Which of the connected repositories is meant; the usual one unless given. */
export interface OfProduct {
  readonly product?: string | undefined
}

/** The connected repository for one call: functions that take and give data. Files that rules deny are not there. */
export interface RepositoryEngine {
  /** Directories below a path, the nearest first. */
  directories(
    path: string,
    options: OfProduct & { readonly depth: number; readonly limit: number },
    signal: AbortSignal,
  ): Promise<{ readonly directories: readonly { path: string; depth: number }[]; readonly truncated: boolean }>
  /** Files of one directory whose names match the glob. */
  list(
    path: string,
    options: OfProduct & { readonly glob?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<{ readonly files: readonly { path: string; name: string; size: number }[]; readonly truncated: boolean }>
  /** The text of a file, cut after so many bytes. */
  read(
    path: string,
    options: OfProduct & { readonly truncateAt: number },
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly content: string; readonly size: number }>
  /** Lines that hold a text, whatever its case, then files whose path does. */
  search(
    options: OfProduct & { readonly query: string; readonly glob?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly { readonly path: string; readonly line: number; readonly text: string }[]>
  /** The search of a workspace, in the repository. */
  grep(options: OfProduct & GrepOptions): Promise<Grepped>
  /** The index of a workspace, of the repository. */
  query(
    query: IndexQuery,
    options: OfProduct & { readonly limit: number; readonly skip?: number },
    signal: AbortSignal,
  ): Promise<IndexAnswer>
}
