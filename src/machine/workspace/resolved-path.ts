import type { BigIntStats } from 'node:fs'

/** One place in the workspace, found by a walk and held by its directory. Release it. */
export interface ResolvedPath {
  /** Canonical: workspace-relative, forward slashes, links resolved; `.` is the root. */
  readonly rel: string
  /** The deepest existing directory on the way, held. */
  readonly dir: number
  /** The last name; undefined for the root itself. */
  readonly name: string | undefined
  /** Directories between `dir` and `name` that are not on disk. */
  readonly missing: readonly string[]
  /** Stats of the entry on disk, links not followed. */
  readonly stats: BigIntStats | undefined
  /** The path's spelling requires a directory (`a/`). */
  readonly directory: boolean
  /** The links that were followed on the way. */
  readonly links: readonly FollowedLink[]
  release(): void
}

/** A link on the way to a place. */
export interface FollowedLink {
  /** Its own canonical path. */
  readonly at: string
  /** The rest of the path after it, as it was written; empty if nothing follows. */
  readonly rest: string
}

/** Staged type of a canonical path, before the disk is checked; undefined if nothing is staged. */
export type Overlay = (rel: string) => 'absent' | 'file' | 'directory' | { readonly target: string } | undefined

export interface ResolveOptions {
  /** Resolves the name itself, not a link's target. */
  readonly link?: boolean
  readonly overlay?: Overlay
}
