import type { RunningServer } from '../code/servers/types.ts'
import type { CompileGlob } from '../search/wanted-files.ts'

/** One question to the process. */
export interface Question {
  readonly params: unknown
  /** Aborted when whoever asked cancels, is gone, or its time is over. */
  readonly signal: AbortSignal
  /** The same object for all questions of one connection: what may be remembered for it is kept by this. */
  readonly client: object
}

/** Something slow to make that the process holds for everybody: the search index, the repository index. */
export interface ResidentPart {
  /** Answers by name; what an answer throws as `ToolError` reaches whoever asked. */
  readonly answers: Readonly<Record<string, (question: Question) => unknown>>
  /** What `toolwright up` says of it; nothing where it is only there for others. */
  status?(): PartStatus | Promise<PartStatus>
  /** So many connections are open from now on. */
  clients?(count: number): void
  /** Processes that it started and that run now. */
  processes?(): Promise<readonly RunningServer[]>
  close(): void | Promise<void>
}

export interface PartStatus {
  readonly name: string
  readonly state: 'building' | 'current' | 'behind'
  /** Files that it has read, and how many are still to come. */
  readonly files: number
  readonly pending: number
  readonly bytes?: number
  /** Files that could not be parsed, and why. */
  readonly unparsed?: readonly { readonly path: string; readonly why: string }[]
  /** Why it will never be current again; whoever asks does without it. */
  readonly failure?: string
}

/** What engines are told and do not decide. */
export interface PartRules {
  readonly compileGlob: CompileGlob
  /** Files of the workspace that are none of the repository's own. */
  readonly isForeign: (path: string) => boolean
  /** Reports whether one of these globs denies reading a path. */
  readonly deniedBy: (globs: readonly string[]) => (path: string) => boolean
}

/** The process as it describes itself. */
export interface ResidentStatus {
  readonly pid: number
  readonly version: string
  readonly root: string
  readonly uptimeMs: number
  /** Connections that are open, the one that asks included. */
  readonly clients: number
  readonly memoryBytes: number
  readonly idleMs: number
  readonly parts: readonly PartStatus[]
  /** What it has started to answer about code, such as language servers. */
  readonly processes: readonly RunningServer[]
}
