/** One text or binary file that no ignore rule leaves out. */
export interface TreeFile {
  /** Canonical, relative to the workspace. */
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
  /** Changes whenever the file may have another content: made of inode, size, times. */
  readonly stamp: string
}

/** What happened since the listener was last told. A renamed directory is its files removed and added. */
export interface TreeChange {
  readonly put: readonly TreeFile[]
  readonly gone: readonly string[]
}

/** How the list of files stands to the disk. */
export type TreeState =
  /** Everything that happened before the question is in it. */
  | { readonly state: 'current'; readonly checked: 'watch' | 'stat' }
  /** It is being caught up, or for the reason it gives never will be: whoever wants an answer now must scan. */
  | { readonly state: 'behind'; readonly pending: number; readonly why?: string }

/** The files of a workspace as they are, kept up while they change: those that `rg --files --hidden --glob=!.git` lists. */
export interface Tree {
  /** Goes up with every change. */
  version(): number
  files(): ReadonlyMap<string, TreeFile>
  /** Comes back when everything that happened before the call is known, or says at once that it will take longer. */
  settle(options?: { readonly strict?: boolean }): Promise<TreeState>
  /** Comes back when the first look, or whatever else is being caught up, is over; throws where it never will be. */
  caughtUp(): Promise<void>
  /** Called with each change, before `settle` comes back. */
  onChange(listener: (change: TreeChange) => void): () => void
  close(): void
}
