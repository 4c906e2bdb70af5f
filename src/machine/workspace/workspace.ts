import type { Change } from '../../kernel/change.ts'

/** Who a file on disk is at one moment; two equal identities mean that nobody touched it in between. */
export interface Identity {
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
  readonly mode: number
}

export interface Entry {
  /** Workspace-relative, forward slashes, links resolved. */
  readonly path: string
  readonly name: string
  readonly type: 'file' | 'directory' | 'symlink' | 'other'
  readonly size: number
  readonly mode: number
  readonly mtimeMs: number
}

/** A regular file held open, read by position; close it. */
export interface OpenFile {
  readonly path: string
  readonly size: number
  readonly mode: number
  /** Differs whenever the content may differ; absent where that cannot be promised (changed a moment ago). */
  readonly version?: string
  read(offset: number, length: number): Buffer
  close(): void
}

export interface FileContent {
  readonly path: string
  readonly bytes: Buffer
  readonly mode: number
  /** sha256, hex. */
  readonly hash: string
}

interface PutOptions {
  /** Default: the mode that is there, else 0o644. */
  readonly mode?: number
  /** `absent`: refuse with `exists` where a file is; a hash: refuse with `conflict` where it differs. */
  readonly expect?: string
}

/** The files of a workspace as one call may read them: what is staged is seen, what was not claimed is not. */
export interface ReadableWorkspace {
  /** The real, workspace-relative path that a path given by a caller means; throws `outside_workspace` or `invalid_input`. */
  locate(path: string, options?: { readonly link?: boolean }): string
  stat(path: string): Entry | undefined
  /** Throws `not_found`, `not_a_file`, `outside_workspace`, `denied`. */
  open(path: string): OpenFile
  read(path: string): FileContent
  list(path: string): readonly Entry[]
}

/**
 * The only door to the files of a workspace, opened for the claims of one call: reads see what is staged,
 * what was not claimed cannot be touched, and nothing lands before `commit`.
 */
export interface Workspace extends ReadableWorkspace {
  put(path: string, bytes: Buffer, options?: PutOptions): void
  remove(path: string): void
  move(from: string, to: string): void
  makeDirectory(path: string): readonly string[]
  setMode(path: string, mode: number): void
  changes(): readonly Change[]
}
