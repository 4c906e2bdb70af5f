import type { Tree } from '../../tree/tree.ts'
import type { CommandLimits } from '../../../machine/process/types.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import type { Deadline } from './deadline.ts'
import type { ConfiguredServer } from '../../../languages/server-definition.ts'
import type { Diagnostic, Location, OutlineSymbol, Position, ServerEdit } from './lsp-schemas.ts'
import type { ServerMemory } from './server-memory.ts'
import type { StagedTexts } from './staged-texts.ts'

/** A server during one question, with the workspace as that question sees it. Lists have no duplicates. */
export interface ServerClient {
  readonly name: string
  /** It omits uses under an alias; ask for the alias separately. */
  readonly missesAliases: boolean
  /** The number of files it cannot know: too many belong to no project. */
  readonly unknown: number
  /** It has answered a question about a meaning since its start, and reports no work. */
  readonly isReady: boolean
  can(what: 'implementation' | 'diagnostic' | 'rename'): boolean
  pathOf(uri: string): string | undefined
  outline(path: string): Promise<readonly OutlineSymbol[]>
  /** With `declarations` also declarations and imports. */
  references(
    path: string,
    position: Position,
    options?: { readonly declarations?: boolean },
  ): Promise<readonly Location[]>
  definition(path: string, position: Position): Promise<readonly Location[]>
  /** The declarations of the type of the name at a position; empty if the server does not know it. */
  typeDefinition(path: string, position: Position): Promise<readonly Location[]>
  implementations(path: string, position: Position): Promise<readonly Location[]>
  /** What the server says of the name at a position, with its type; empty if it says nothing. */
  hover(path: string, position: Position): Promise<string>
  /** Renames the symbol at a position everywhere; undefined if its name cannot be changed. */
  rename(path: string, position: Position, name: string): Promise<readonly ServerEdit[] | undefined>
  /** Edits in other files and in the file itself when it moves; undefined if the server does not support this. */
  movedFile(from: string, to: string): Promise<readonly ServerEdit[] | undefined>
  /** Diagnostics of a file, without hints. */
  diagnostics(path: string): Promise<readonly Diagnostic[]>
  /** Reports whether another question waits for this server and cannot run in parallel. */
  isAwaited(): boolean
}

/** One line for doctor. */
export interface ServedLanguage {
  readonly name: string
  readonly extensions: readonly string[]
  readonly installed: boolean
  readonly install: string
}

/** A running server, for administration. */
export interface RunningServer {
  readonly name: string
  readonly pid: number
  /** Of all its processes; 0 if the system does not report it. */
  readonly memoryBytes: number
}

/** The language servers of a workspace. Each starts with its first question and stops when idle. */
export interface Servers {
  /** Reports whether a server exists for this file. */
  serves(path: string): Promise<boolean>
  /**
   * Throws `unavailable` if no server serves this file, `timeout` if none answered in time. Restarts `work` with
   * another server if the process that held the first one goes away.
   */
  ask<T>(path: string, staged: StagedTexts, deadline: Deadline, work: (server: ServerClient) => Promise<T>): Promise<T>
  known(): Promise<readonly ServedLanguage[]>
  /** The running servers. */
  running(): Promise<readonly RunningServer[]>
  close(): Promise<void>
}

export interface ServersParts {
  readonly root: Root
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user switched the sandbox off. */
  readonly off: boolean
  readonly limits: CommandLimits
  readonly configured: readonly ConfiguredServer[]
  readonly patience?: Partial<ServerLimits>
  /** The files of the workspace, if they are watched already. */
  readonly tree?: Tree
  /** The memory bound that these servers share with others and with graph processes. Default: not shared. */
  readonly memory?: ServerMemory
}

/** Limits on the behaviour of a server. */
export interface ServerLimits {
  /** Time to answer `initialize`. */
  readonly initializeMs: number
  /** A server that stays silent this long during a question is ended. */
  readonly silentMs: number
  /** A server without questions for this long is stopped. */
  readonly idleMs: number
  /** The most bytes it may write without answering a question. */
  readonly floodBytes: number
}
