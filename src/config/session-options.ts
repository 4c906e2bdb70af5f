import type { OutputTypes } from '../machine/desk/check-output.ts'
import type { Engines } from '../engines/engines.ts'
import type { Connection } from '../knowledge/github/types.ts'
import type { ResidentUse } from '../knowledge/resident/open-resident.ts'
import type { CommandLimits } from '../machine/process/types.ts'
import type { Environment } from '../machine/state/directory.ts'
import type { Network } from '../machine/web/network.ts'
import { createReadMemory, type ReadMemory } from '../machine/workspace/read-memory.ts'
import type { GraphAdapter, JournalAdapter } from '../kernel/adapters.ts'
import type { CommandLists } from '../guards/policy/session-policy.ts'
import type { EffectsMode } from '../kernel/edit-effects.ts'
import type { Contract } from '../kernel/contract.ts'
import type { SecretProvider } from '../kernel/secret.ts'
import type { Answerer } from '../runtime/questions.ts'
import type { Recorder } from '../runtime/recording/recorder.ts'
import { createSchedule, type Schedule } from '../runtime/schedule.ts'

/** What one session may and has. */
export interface SessionOptions {
  /** Its tools are called by their plain names; that of the toolkit unless given. */
  readonly contract?: Contract<Engines>
  readonly readOnly?: boolean
  /** Granted beforehand, e.g. `fs:write:src/**`. */
  readonly permissions?: readonly string[]
  /** What the permissions do not grant is denied, whatever the configuration says. */
  readonly permissionsOnly?: boolean
  /** Asked where policy says ask; without anybody, ask means no. */
  readonly approve?: Answerer
  readonly secrets?: SecretProvider
  /** Every secret of the provider may be revealed without asking. */
  readonly grantSecrets?: boolean
  /** The host registers this session as an adapter that keeps `.sage/`: there, and there only, it may write. */
  readonly sageAdapter?: boolean
  /** The named piece of work that budgets are counted for. */
  readonly task?: string
  /** Stages into this transaction instead of landing each call. */
  readonly transaction?: string
  /**
   * No time, no chance: the same calls on the same files give the same answers. A command that asks the system's clock, its
   * random numbers or the times of files still gets the real ones.
   */
  readonly deterministic?: boolean
  /** Stands in for the network of this machine. */
  readonly network?: Network
  /** Lists that every command has to pass, by its first words, such as `git log`. */
  readonly commands?: readonly CommandLists[]
  /** Variables that every command finds in its environment. */
  readonly commandEnv?: Readonly<Record<string, string>>
  /** How long a command may take that does not say so itself. */
  readonly commandTimeoutMs?: number
  /** What a command may use, where that is less than the configuration says. */
  readonly commandLimits?: Partial<Omit<CommandLimits, 'timeoutMs'>>
  /** Writes down what is needed to replay the calls. */
  readonly record?: Recorder
  /** Sees every record as it is journaled. */
  readonly onRecord?: (record: object) => void
  /** Reports whether answers tell what changes break, in place of what the configuration says. */
  readonly effects?: EffectsMode
  /** The GitHub repository that is read by tools for repositories; that of the configuration unless given. */
  readonly github?: Connection | 'none'
  /** GitHub repositories by the name of their product; those of the configuration count where `github` is not given. */
  readonly products?: Readonly<Record<string, Connection>>
  /** Stands in for the code graph of the workspace. */
  readonly graph?: GraphAdapter
  /** Stands in for the journal of the workspace: nothing is written there, and nothing of it is read back. */
  readonly journal?: JournalAdapter
  /** Types of output that are checked by their names, besides those that everybody has. */
  readonly outputs?: OutputTypes
  /** What several sessions have in common that are one piece of work. */
  readonly shared?: Shared
  /** The session ends with its first call: nothing is prepared for a second. */
  readonly isOneCall?: boolean
}

export interface Shared {
  readonly memory: ReadMemory
  readonly revealed: Map<string, string>
  readonly schedule: Schedule
}

export const createShared = (): Shared => ({
  memory: createReadMemory(),
  revealed: new Map(),
  schedule: createSchedule(),
})

export interface ToolkitOptions extends Omit<SessionOptions, 'contract'> {
  readonly root?: string
  /** A contract or its id; `toolwright` unless given. */
  readonly contract?: string | Contract<Engines>
  readonly env?: Environment
  /** A configuration file in place of the user's own. */
  readonly config?: string
  /**
   * Whether the process that holds the index of the workspace is used where there is one, also started with the first
   * search if there is none (`start`), with the first question to a language server (`servers`), or left alone; `use`
   * unless given. Answers are the same.
   */
  readonly resident?: ResidentUse
  /** The program ends after a call or two: it starts nothing slow for what it does not wait for. */
  readonly isBrief?: boolean
}
