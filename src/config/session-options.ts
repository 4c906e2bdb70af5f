import { randomUUID } from 'node:crypto'
import type { OutputTypes } from '../machine/validation/check-output.ts'
import type { Engines } from '../engines/engines.ts'
import type { Connection } from '../knowledge/github/types.ts'
import type { FixStore } from '../knowledge/memory/types.ts'
import type { ResidentUse } from '../service/open-resident.ts'
import type { CommandLimits } from '../machine/process/types.ts'
import type { Environment } from '../machine/state/directory.ts'
import { accountOf } from '../machine/state/ledger.ts'
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

/** Options and grants of one session. */
export interface SessionOptions {
  /** The contract whose tools are called by their plain names; the toolkit's by default. */
  readonly contract?: Contract<Engines>
  readonly readOnly?: boolean
  /** Granted beforehand, e.g. `fs:write:src/**`. */
  readonly permissions?: readonly string[]
  /** Denied whatever else allows it, e.g. `exec:git push`; what the toolkit denies holds in all of its sessions. */
  readonly denials?: readonly string[]
  /** Denies everything that the permissions do not grant, whatever the configuration says. */
  readonly permissionsOnly?: boolean
  /** Asked if policy says ask; without it, ask means no. */
  readonly approve?: Answerer
  /** The program that makes the calls, as a person who is asked elsewhere sees it. */
  readonly client?: string
  /**
   * How long a question waits in the list of the workspace, in milliseconds, where no one can be asked or the client
   * cannot show it; `toolwright approve` answers it there. Without it, such a question is answered no at once.
   */
  readonly waitForApprovalMs?: number
  readonly secrets?: SecretProvider
  /** Every secret of the provider may be revealed without asking. */
  readonly grantSecrets?: boolean
  /** The host registers this session as an adapter that keeps `.sage/`: it may write there, and only there. */
  readonly sageAdapter?: boolean
  /** The named piece of work that budgets count for. */
  readonly task?: string
  /** Stages into this transaction instead of landing each call. */
  readonly transaction?: string
  /**
   * No time, no randomness: the same calls on the same files return the same answers. `docs/contracts.md` lists what
   * stays real for a command.
   */
  readonly deterministic?: boolean
  /** Replaces the network of this machine. */
  readonly network?: Network
  /** Lists that every command must pass, by its first words, such as `git log`. */
  readonly commands?: readonly CommandLists[]
  /** Variables in the environment of every command. */
  readonly commandEnv?: Readonly<Record<string, string>>
  /** The timeout of a command that sets none itself. */
  readonly commandTimeoutMs?: number
  /** Resource limits of commands, if lower than the configuration's. */
  readonly commandLimits?: Partial<Omit<CommandLimits, 'timeoutMs'>>
  /** Records what is needed to replay the calls. */
  readonly record?: Recorder
  /** Receives every record as it is journaled. */
  readonly onRecord?: (record: object) => void
  /** Whether answers report what changes break; overrides the configuration. */
  readonly effects?: EffectsMode
  /** The GitHub repository that repository tools read; the configuration's by default. */
  readonly github?: Connection | 'none'
  /** GitHub repositories by the name of their product; the configuration's count unless `github` is given. */
  readonly products?: Readonly<Record<string, Connection>>
  /** Replaces the code graph of the workspace. */
  readonly graph?: GraphAdapter
  /** Replaces the journal of the workspace: nothing is written there, and nothing of it is read back. */
  readonly journal?: JournalAdapter
  /** Named types of output to check, besides the built-in ones. */
  readonly outputs?: OutputTypes
  /** State that several sessions of one piece of work share. */
  readonly shared?: Shared
  /** Continues the session of what it shares: the last command is one of any of its calls. */
  readonly continues?: boolean
  /** The session ends with its first call, so nothing is prepared for a second. */
  readonly isOneCall?: boolean
}

export interface Shared {
  /** Id of the session that sessions with `continues` are. */
  readonly id: string
  readonly memory: ReadMemory
  readonly revealed: Map<string, string>
  readonly schedule: Schedule
  /** Counts the calls that name no task. */
  readonly account: string
}

export function createShared(): Shared {
  const id = randomUUID()
  return {
    id,
    memory: createReadMemory(),
    revealed: new Map(),
    schedule: createSchedule(),
    account: accountOf(id.slice(0, 8)),
  }
}

export interface ToolkitOptions extends Omit<SessionOptions, 'contract'> {
  readonly root?: string
  /** A contract or its id; `toolwright` by default. */
  readonly contract?: string | Contract<Engines>
  readonly env?: Environment
  /** A configuration file instead of the user's own. */
  readonly config?: string
  /** The profile of commands from the configuration; default: what `TOOLWRIGHT_PROFILE` names. */
  readonly profile?: string
  /**
   * Whether to use the process that holds the index of the workspace: if one runs (`use`, the default), also starting
   * one with the first search (`start`) or with the first question to a language server (`servers`), or not. Answers
   * are the same.
   */
  readonly resident?: ResidentUse
  /** The program ends after a call or two, so it starts nothing slow that it does not wait for. */
  readonly isBrief?: boolean
  /**
   * Loads the parsers of command lines with the first command. `check` and `checkCommand`, which are synchronous, need
   * them at once.
   */
  readonly parsersWhenNeeded?: boolean
  /** Replaces the memory of past fixes. */
  readonly fixes?: FixStore
}
