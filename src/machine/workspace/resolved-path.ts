import type { BigIntStats } from 'node:fs'

/** One place in the workspace, found by a walk and held by its directory; release it. */
export interface ResolvedPath {
  /** Canonical: workspace-relative, forward slashes, links resolved; `.` is the root. */
  readonly rel: string
  /** The deepest directory on the way that exists, held. */
  readonly dir: number
  /** The last name; undefined for the root itself. */
  readonly name: string | undefined
  /** Directories between `dir` and `name` that are not on disk. */
  readonly missing: readonly string[]
  /** What is on disk under that name, itself and not what it may point to. */
  readonly stats: BigIntStats | undefined
  /** The path was written in a way that only a directory can satisfy (`a/`). */
  readonly directory: boolean
  release(): void
}

/** What staged changes say about a canonical path before the disk is asked; undefined: nothing. */
export type Overlay = (rel: string) => 'absent' | 'file' | 'directory' | { readonly target: string } | undefined

export interface ResolveOptions {
  /** The name itself is meant, not what a link of that name points to. */
  readonly link?: boolean
  readonly overlay?: Overlay
}
