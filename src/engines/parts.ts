import type { GraphAdapter } from '../kernel/adapters.ts'
import type { OpenedOnUse } from '../kernel/once.ts'
import type { DocumentationHolder } from '../knowledge/documentation/documentation-holder.ts'
import type { WrittenConnection } from '../knowledge/github/connect.ts'
import type { DocumentationSettings } from '../kernel/documentation-sources.ts'
import type { OutputTypes } from '../machine/validation/check-output.ts'
import type { LastCommand } from '../machine/journal/last-command.ts'
import type { Payloads } from '../machine/journal/payloads.ts'
import type { Network } from '../machine/web/network.ts'
import type { CommitStore } from '../machine/workspace/commit/commit-store.ts'
import type { Landing } from '../machine/workspace/land.ts'
import type { ReadMemory } from '../machine/workspace/read-memory.ts'
import type { Root } from '../machine/workspace/root.ts'
import type { Transactions } from '../machine/workspace/transactions.ts'
import type { LazyCommands, SessionCommands } from './lazy-commands.ts'
import type { FixMemory } from './fix-memory.ts'
import type { LazyKnowledge } from './lazy-knowledge.ts'
import type { EngineSettings } from './settings.ts'
import type { CommandLimits } from '../machine/process/types.ts'

/** What engines are opened over: one workspace, and the state of one session. */
export interface Parts {
  readonly root: Root
  readonly store: CommitStore
  readonly memory: ReadMemory
  readonly transactions: Transactions
  readonly payloads: Payloads
  readonly landing: Landing
  readonly network: Network | 'system' | 'none'
  readonly commands: LazyCommands
  /** How this session runs them. */
  readonly commandOptions: SessionCommands
  /** The configured and the session's limits of calls that change files without a command, if there are any. */
  readonly writeLimits: readonly [CommandLimits, Partial<CommandLimits>] | undefined
  readonly repository: RepositoryConnection
  readonly documentation: DocumentationConnection
  /** What the user's own configuration says to each engine that has settings. */
  readonly settings: EngineSettings
  /** Output types besides the built-in ones. */
  readonly outputs: OutputTypes
  readonly knowledge: LazyKnowledge
  readonly fixes: LazyFixes
  /** Removes the secrets of the session from stored text. */
  readonly redact: <T>(value: T) => T
  /** Replaces the code graph. */
  readonly graph?: GraphAdapter | undefined
  /** Patterns of files in the workspace that no search includes unless it names them. */
  readonly foreign: readonly string[]
  /** Returns a fixed time, if answers must not depend on the real one. */
  readonly fixedTime?: () => number
  /** Answers must be reproducible, so they hold nothing that an index happens to know. */
  readonly sameAgain: boolean
  /** There is no second call, so reads are not cached. */
  readonly isOneCall: boolean
  /** The plan that one-shot calls share. */
  readonly planFile: string
  lastCommand(): Promise<LastCommand | undefined>
  newId(): string
  /** Returns the commits that undoing this takes back: a commit by its id, or those of `task:ID`, the oldest first. */
  commitsOf(target: string): readonly string[]
  /** Says what undoing this leaves as it is. */
  leftBehind(target: string): readonly string[]
  /** Compiles a glob in one place, for policy and search alike. */
  compileGlob(pattern: string): { matches(path: string): boolean }
}

/** The remote repositories that a session may read, as configured. */
export interface WrittenConnections {
  /** The default if a call names no product. */
  readonly usual: WrittenConnection | undefined
  readonly products: Readonly<Record<string, WrittenConnection>>
}

/** The remote repositories that a session is connected to, before any request to them. */
export interface RepositoryConnection {
  readonly written: WrittenConnections
  /** Returns the value of a secret that a connection names. */
  readonly secretOf: (name: string) => Promise<string | undefined>
  /** Notes a secret that no later answer may carry. */
  learn(name: string, value: string): Promise<void>
}

/** Documentation search as one session configures it. */
export interface DocumentationConnection {
  /** What it keeps in the workspace, for all sessions. */
  readonly held: OpenedOnUse<DocumentationHolder>
  readonly settings: DocumentationSettings
  /** Directories of this machine whose names no query may carry. */
  readonly places: readonly string[]
  /** Removes secrets from a query. */
  hide(text: string): string
}

/** The memory of past fixes; its code is loaded with the first use. */
export interface LazyFixes {
  load(): Promise<FixMemory>
  /** Origins of the servers that the configuration names. */
  readonly servers: readonly string[]
}
