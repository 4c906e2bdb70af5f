import type { JudgedBy } from '../../guards/judgement.ts'
import type { Granted } from '../../guards/policy/session-policy.ts'
import type { EffectsMode } from '../../kernel/edit-effects.ts'
import type { Code } from '../../kernel/error.ts'
import type { Caller } from '../call-options.ts'
import type { RecordedRoom } from './recorded-room.ts'

/** The version of the format; a file of another one is not replayed. */
export const RECORDING_VERSION = 1

/** The first line of a recording, and of each part appended later. */
interface HeaderLine {
  readonly type: 'recording'
  readonly version: typeof RECORDING_VERSION
  /** The version of Toolwright that made it. */
  readonly toolwright: string
}

/** The configuration that the calls of one session were judged by. */
export interface SessionFacts {
  readonly id: string
  readonly task: string
  /** What budgets counted for, if not the task. */
  readonly account?: string
  readonly workspace: string
  /** The contract whose tools are called by their plain names. */
  readonly contract: string
  readonly readOnly: boolean
  /** Reports whether there was a provider of secrets. */
  readonly secrets: boolean
  readonly config: JudgedBy
  readonly granted: Granted
}

export interface SessionLine extends SessionFacts {
  readonly type: 'session'
  /** The number by which its call lines name it. */
  readonly session: number
}

/** A long text that later lines name as `{"$text": id}`. */
export interface TextLine {
  readonly type: 'text'
  readonly id: string
  readonly text: string
}

/** One request of a call to the machine, a person or a store, and its result. */
export interface Event {
  /** `canonical`, `text.read`, `commit`, `ask` … */
  readonly on: string
  args?: unknown
  gave?: unknown
  threw?: Failure
  /** The result came as a promise. */
  later?: true
  /** The result had not come when the call was over. */
  unsettled?: true
  /** Facts noted of the call meanwhile. */
  notes?: unknown[]
}

export type Failure =
  | { readonly code: Code; readonly message: string; readonly hint?: string; readonly details?: unknown }
  | { readonly defect: string }

export interface CallLine {
  readonly type: 'call'
  readonly session: number
  readonly contract: string
  readonly tool: string
  /** The version of the tool; absent if there is no tool of that name. */
  readonly version?: string
  readonly input?: unknown
  readonly options: RecordedOptions
  /** How many calls of the session were over when this one checked its history. */
  readonly seen: number
  readonly clock: {
    readonly now: readonly number[]
    readonly elapsed: readonly number[]
    readonly id: readonly string[]
    /** Absent where the contract's records do not name it. */
    readonly processor?: readonly number[]
  }
  readonly events: readonly Event[]
  readonly ok: boolean
  readonly answer: unknown
  /** The record as the journal has it. */
  readonly record?: unknown
  /** A secret was removed from the engines' results. */
  readonly masked?: true
  /** Why the call cannot be replayed. */
  readonly leftOut?: string
}

export interface RecordedOptions {
  readonly dryRun?: boolean
  readonly plan?: string
  readonly hunks?: readonly number[]
  readonly task?: string
  /** Who made the call, as its record names them. */
  readonly caller?: Pick<Caller, 'client' | 'agent'>
  readonly waitMs?: number
  readonly abridged?: boolean
  readonly room?: RecordedRoom
  readonly effects?: EffectsMode
  /** Whether the caller could cancel, and had cancelled before the call began. */
  readonly signal?: 'open' | 'aborted'
}

/** The beginning of an agent's run. */
interface RunLine {
  readonly type: 'run'
  /** The number by which its other lines name it. */
  readonly run: number
  /** What it was started with, apart from its model. */
  readonly options: unknown
}

/** One request of a run to its model, and what came back. */
interface AnswerLine {
  readonly type: 'answer'
  readonly run: number
  readonly answer: unknown
}

/** How a run ended. */
interface RunEndLine {
  readonly type: 'run-end'
  readonly run: number
  readonly status: string
  readonly output: unknown
}

export type Line = HeaderLine | SessionLine | TextLine | CallLine | RunLine | AnswerLine | RunEndLine
