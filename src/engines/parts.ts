import type { GraphAdapter } from '../kernel/adapters.ts'
import type { Change } from '../kernel/change.ts'
import type { CallEffects } from '../knowledge/code/effects/call-effects.ts'
import type { WrittenConnection } from '../knowledge/github/connect.ts'
import type { OutputTypes } from '../machine/desk/check-output.ts'
import type { LastCommand } from '../machine/journal/last-command.ts'
import type { Payloads } from '../machine/journal/payloads.ts'
import type { Network } from '../machine/web/network.ts'
import type { CommitStore } from '../machine/workspace/commit/commit-store.ts'
import type { Landed, Landing } from '../machine/workspace/land.ts'
import type { ReadMemory } from '../machine/workspace/read-memory.ts'
import type { Root } from '../machine/workspace/root.ts'
import type { Transactions } from '../machine/workspace/transactions.ts'
import type { Engines } from './engines.ts'
import type { LazyCommands, SessionCommands } from './lazy-commands.ts'
import type { LazyKnowledge } from './lazy-knowledge.ts'

/** What engines are opened over: one workspace, and what one session knows of it. */
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
  readonly repository: RepositoryConnection
  /** Registered besides those that everybody has. */
  readonly outputs: OutputTypes
  readonly knowledge: LazyKnowledge
  /** Stands in for the code graph. */
  readonly graph?: GraphAdapter | undefined
  /** Patterns of files in the workspace that no search comes to unless it names them. */
  readonly foreign: readonly string[]
  /** The time, where answers must not depend on it. */
  readonly fixedTime?: () => number
  /** Answers must be the same when the calls are made again: they hold nothing that an index happens to know. */
  readonly sameAgain: boolean
  /** Nobody asks again: what was read is not kept for a next read. */
  readonly isOneCall: boolean
  /** The plan that one-shot calls share. */
  readonly planFile: string
  lastCommand(): Promise<LastCommand | undefined>
  newId(): string
  /** How a glob is read is decided in one place, for policy and search alike. */
  compileGlob(pattern: string): { matches(path: string): boolean }
}

/** The repositories elsewhere that a session may read, as they are written. */
export interface WrittenConnections {
  /** Read where a call names no product. */
  readonly usual: WrittenConnection | undefined
  readonly products: Readonly<Record<string, WrittenConnection>>
}

/** The repositories elsewhere that a session is connected to, before anything is asked of them. */
export interface RepositoryConnection {
  readonly written: WrittenConnections
  /** The value of a secret that a connection names. */
  readonly secretOf: (name: string) => Promise<string | undefined>
  /** A secret that an answer must not carry from now on. */
  learn(name: string, value: string): Promise<void>
}

/** The engines of one call. */
export interface OpenedEngines {
  readonly engines: Engines
  given(): void
  changes(): readonly Change[]
  effects: CallEffects['judged']
  commit(id: string): Promise<Landed>
  foretell(): readonly string[]
  unstaged(): Promise<readonly unknown[]>
  keep(plan: string): Promise<boolean>
  close(): Promise<void>
}
