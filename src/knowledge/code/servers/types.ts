import type { Tree } from '../../tree/tree.ts'
import type { CommandLimits } from '../../../machine/process/types.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import type { Deadline } from './deadline.ts'
import type { ConfiguredServer } from './definition.ts'
import type { Diagnostic, Location, OutlineSymbol, Position, ServerEdit } from './lsp-schemas.ts'
import type { ServerMemory } from './server-memory.ts'
import type { StagedTexts } from './staged-texts.ts'

/** A server during one question, with the workspace as that question sees it. Every list holds everything once. */
export interface ServerClient {
  readonly name: string
  /** It leaves out uses under another name, which have to be asked for by that name. */
  readonly missesAliases: boolean
  /** Files that it cannot know of: too many that belong to no project. */
  readonly unknown: number
  can(what: 'implementation' | 'diagnostic' | 'rename'): boolean
  pathOf(uri: string): string | undefined
  outline(path: string): Promise<readonly OutlineSymbol[]>
  /** With `declarations` also those and imports. */
  references(
    path: string,
    position: Position,
    options?: { readonly declarations?: boolean },
  ): Promise<readonly Location[]>
  definition(path: string, position: Position): Promise<readonly Location[]>
  /** Where the type is declared that the name at a place has; nothing where the server does not know it. */
  typeDefinition(path: string, position: Position): Promise<readonly Location[]>
  implementations(path: string, position: Position): Promise<readonly Location[]>
  /** Another name for what is written at a place, wherever it is used; undefined if it has a name that cannot be changed. */
  rename(path: string, position: Position, name: string): Promise<readonly ServerEdit[] | undefined>
  /** What changes elsewhere, and in the file itself, when a file moves; undefined if the server does not say. */
  movedFile(from: string, to: string): Promise<readonly ServerEdit[] | undefined>
  /** What it finds wrong with a file, without hints. */
  diagnostics(path: string): Promise<readonly Diagnostic[]>
  /** Somebody waits for this server whose question cannot be put beside this one. */
  isAwaited(): boolean
}

/** One line for doctor. */
export interface ServedLanguage {
  readonly name: string
  readonly extensions: readonly string[]
  readonly installed: boolean
  readonly install: string
}

/** A server as whoever looks after the machine sees it. */
export interface RunningServer {
  readonly name: string
  readonly pid: number
  /** Of all its processes; 0 where the system does not say. */
  readonly memoryBytes: number
}

/** The language servers of a workspace: started with the first question, kept until nobody asks. */
export interface Servers {
  /** Reports whether somebody could answer about this file. */
  serves(path: string): Promise<boolean>
  /**
   * `unavailable` where nobody can answer about this file, `timeout` where nobody did in time. `work` is begun anew
   * with another server where the process that held the first one goes away.
   */
  ask<T>(path: string, staged: StagedTexts, deadline: Deadline, work: (server: ServerClient) => Promise<T>): Promise<T>
  known(): Promise<readonly ServedLanguage[]>
  /** Those that run now. */
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
  readonly patience?: Partial<Patience>
  /** The files of the workspace, where somebody follows them already. */
  readonly tree?: Tree
  /** What these servers may hold in memory, with others; with none unless given. */
  readonly memory?: ServerMemory
}

/** How much is borne with from a server. */
export interface Patience {
  /** It has answered `initialize` by then. */
  readonly initializeMs: number
  /** One that leaves a question without any sign of life for so long is ended. */
  readonly silentMs: number
  /** One that nobody asked for so long is stopped. */
  readonly idleMs: number
  /** What it may write without answering anything. */
  readonly floodBytes: number
}
