import type { Change } from '../../kernel/change.ts'

/** Identity of a file on disk at one moment. Two equal identities mean that the file did not change in between. */
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

/** A regular file held open, read by position. Close it. */
export interface OpenFile {
  readonly path: string
  readonly size: number
  readonly mode: number
  /** Differs whenever the content may differ; absent if that cannot be guaranteed (changed just now). */
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

/** The content that an edit was made on. */
export interface Basis {
  readonly bytes: Buffer
  readonly hash: string
  /** Reports whether each replaced text stands there exactly once, so that the edit holds whatever else changed. */
  readonly isUnique: () => boolean
}

interface PutOptions {
  /** Default: the existing mode, or 0o644. */
  readonly mode?: number
  /** `absent`: refuses with `exists` if a file exists. A hash: refuses with `conflict` if it differs. */
  readonly expect?: string
  /** For an edit: applies it to a file that others changed since it was read, if each replaced text is unique there. */
  readonly basis?: Basis
}

/** The files of a workspace for the reads of one call: includes staged changes, excludes unclaimed paths. */
export interface ReadableWorkspace {
  /** Resolves a caller's path to the real, workspace-relative path. Throws `outside_workspace` or `invalid_input`. */
  locate(path: string, options?: { readonly link?: boolean }): string
  stat(path: string): Entry | undefined
  /** Throws `not_found`, `not_a_file`, `outside_workspace`, `denied`. */
  open(path: string): OpenFile
  read(path: string): FileContent
  list(path: string): readonly Entry[]
}

/**
 * The only access to the files of a workspace, opened for the claims of one call: reads see staged changes, unclaimed
 * paths cannot be touched, and nothing lands before `commit`.
 */
export interface Workspace extends ReadableWorkspace {
  /** Returns the sha256 of the bytes, in hex. */
  put(path: string, bytes: Buffer, options?: PutOptions): string
  remove(path: string): void
  move(from: string, to: string): void
  makeDirectory(path: string): readonly string[]
  setMode(path: string, mode: number): void
  changes(): readonly Change[]
}
