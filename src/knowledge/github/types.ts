import type { IndexAnswer, IndexQuery } from '../index/types.ts'
import type { Grepped, GrepOptions } from '../search/types.ts'

/** GitHub's limit for one file. */
export const MOST_BYTES = 100 * 1024 * 1024

/** Access to a product's repository. Contains its secrets. */
export interface Connection {
  /** `owner/name`. */
  readonly repository: string
  /** A branch, a tag or a commit; default is the default branch. */
  readonly ref?: string
  /** Address of the REST API, for GitHub Enterprise; default `https://api.github.com`. */
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

/** One name in a repository. The content of a link is its target. */
export interface RepositoryEntry {
  readonly path: string
  readonly kind: 'file' | 'link' | 'directory'
  /** Size of a file or link; 0 for a directory. */
  readonly size: number
  readonly sha: string
}

/** Entries of one tree, as far as GitHub returns them at once. */
export interface TreeListing {
  readonly entries: readonly RepositoryEntry[]
  readonly truncated: boolean
}

/** A repository at one version, read-only and immutable. */
export interface RepositorySource {
  /** The commit; empty if the repository has none. */
  readonly version: string
  /** Returns every file in path order, without links and submodules. */
  files(): Promise<readonly RepositoryEntry[]>
  /** Returns the paths of files that rules hide. */
  hidden(): Promise<readonly string[]>
  /** Returns the entries of a directory, in path order. */
  directory(path: string): Promise<readonly RepositoryEntry[]>
  /** Returns the file at a path; follows links inside the repository. Stops after `maxBytes` if given. */
  read(path: string, maxBytes?: number): Promise<RepositoryBytes>
}

export interface RepositoryBytes {
  readonly bytes: Buffer
  /** Size of the whole file. */
  readonly size: number
}

/** Selects one of the connected repositories; default is the usual one. */
export interface OfProduct {
  readonly product?: string | undefined
}

/** The connected repository for one call: plain data in and out. Denied files are missing. */
export interface RepositoryEngine {
  /** Returns directories below a path, the nearest first. */
  directories(
    path: string,
    options: OfProduct & { readonly depth: number; readonly limit: number },
    signal: AbortSignal,
  ): Promise<{ readonly directories: readonly { path: string; depth: number }[]; readonly truncated: boolean }>
  /** Returns files of one directory whose names match the glob. */
  list(
    path: string,
    options: OfProduct & { readonly glob?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<{ readonly files: readonly { path: string; name: string; size: number }[]; readonly truncated: boolean }>
  /** Returns the text of a file, cut after a number of bytes. */
  read(
    path: string,
    options: OfProduct & { readonly truncateAt: number },
    signal: AbortSignal,
  ): Promise<{ readonly path: string; readonly content: string; readonly size: number }>
  /** Returns lines that contain a text, regardless of case, then files whose path does. */
  search(
    options: OfProduct & { readonly query: string; readonly glob?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<readonly { readonly path: string; readonly line: number; readonly text: string }[]>
  /** Searches the repository like a workspace. */
  grep(options: OfProduct & GrepOptions): Promise<Grepped>
  /** Queries the index of the repository like that of a workspace. */
  query(
    query: IndexQuery,
    options: OfProduct & { readonly limit: number; readonly skip?: number },
    signal: AbortSignal,
  ): Promise<IndexAnswer>
}
