import type { RunningServer } from '../code/servers/types.ts'
import type { CompileGlob } from '../search/wanted-files.ts'

/** One request to the process. */
export interface Question {
  readonly params: unknown
  /** Aborted when the caller cancels, disconnects, or its time is over. */
  readonly signal: AbortSignal
  /** The same object for all requests of one connection; a key for state per client. */
  readonly client: object
}

/** An answer with bytes that are sent as they are; the caller receives them as its `attached`. */
export class AttachedAnswer {
  readonly value: object
  readonly bytes: Buffer

  constructor(value: object, bytes: Buffer) {
    this.value = value
    this.bytes = bytes
  }
}

/**
 * A resource that is slow to build and that the process holds for all callers: the search index, the repository index.
 */
export interface ResidentPart {
  /** Handlers by name; a `ToolError` thrown by one reaches the caller. */
  readonly answers: Readonly<Record<string, (question: Question) => unknown>>
  /** Status for `toolwright up`; none if the part only serves others. */
  status?(): PartStatus | Promise<PartStatus>
  /** Called with the number of open connections. */
  clients?(count: number): void
  /** Running processes that it started. */
  processes?(): Promise<readonly RunningServer[]>
  close(): void | Promise<void>
}

export interface PartStatus {
  readonly name: string
  readonly state: 'building' | 'current' | 'behind'
  /** Files read so far, and those still to read. */
  readonly files: number
  readonly pending: number
  readonly bytes?: number
  /** Files that could not be parsed, and why. */
  readonly unparsed?: readonly { readonly path: string; readonly why: string }[]
  /** Reason why it will never be current again; callers do without it. */
  readonly failure?: string
}

/** Rules passed to engines, which do not decide them. */
export interface PartRules {
  readonly compileGlob: CompileGlob
  /** Files of the workspace that do not belong to the repository. */
  readonly isForeign: (path: string) => boolean
  /** Reports whether one of these globs denies reading a path. */
  readonly deniedBy: (globs: readonly string[]) => (path: string) => boolean
}

/** The process's own status. */
export interface ResidentStatus {
  readonly pid: number
  readonly version: string
  readonly root: string
  readonly uptimeMs: number
  /** Open connections, including the caller's. */
  readonly clients: number
  readonly memoryBytes: number
  readonly idleMs: number
  readonly parts: readonly PartStatus[]
  /** Processes started to answer about code, such as language servers. */
  readonly processes: readonly RunningServer[]
}
