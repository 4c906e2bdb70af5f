/** One file, text or binary, that no ignore rule excludes. */
export interface TreeFile {
  /** Canonical, relative to the workspace. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** Changes whenever the content may have changed: made of inode, size, times. */
  readonly stamp: string
}

/** Changes since the last notification. A renamed directory appears as its files removed and added. */
export interface TreeChange {
  readonly put: readonly TreeFile[]
  readonly gone: readonly string[]
}

/** State of the file list relative to the disk. */
export type TreeState =
  /** Includes everything that happened before the request. */
  | { readonly state: 'current'; readonly checked: 'watch' | 'stat' }
  /** Being updated, or never again for the given reason: callers that need an answer now must scan. */
  | { readonly state: 'behind'; readonly pending: number; readonly why?: string }

/** The current files of a workspace: those that `rg --files --hidden --glob=!.git` lists. */
export interface Tree {
  /** Increases with every change. */
  version(): number
  files(): ReadonlyMap<string, TreeFile>
  /** Resolves when everything that happened before the call is known, or reports at once that it will take longer. */
  settle(options?: { readonly strict?: boolean }): Promise<TreeState>
  /** Resolves when the first look, or any other pending work, is done. Throws if it never will be. */
  caughtUp(): Promise<void>
  /** Called with each change, before `settle` resolves. */
  onChange(listener: (change: TreeChange) => void): () => void
  close(): void
}
