import type { JudgedBy } from '../../guards/judgement.ts'
import type { Granted } from '../../guards/policy/session-policy.ts'
import type { EffectsMode } from '../../kernel/edit-effects.ts'
import type { Code } from '../../kernel/error.ts'
import type { RecordedRoom } from './recorded-room.ts'

/** The version of the format; a file of another one is not replayed. */
export const RECORDING_VERSION = 1

/** The first line of a recording, and of each part that was added to it later. */
interface HeaderLine {
  readonly type: 'recording'
  readonly version: typeof RECORDING_VERSION
  /** The version of Toolwright that made it. */
  readonly toolwright: string
}

/** What the calls of one session were judged by. */
export interface SessionFacts {
  readonly id: string
  readonly task: string
  readonly workspace: string
  /** The contract whose tools are called by their plain names. */
  readonly contract: string
  readonly readOnly: boolean
  /** Reports whether there was anybody to ask for secrets. */
  readonly secrets: boolean
  readonly config: JudgedBy
  readonly granted: Granted
}

export interface SessionLine extends SessionFacts {
  readonly type: 'session'
  /** What the lines of its calls name it by. */
  readonly session: number
}

/** A long text that later lines name as `{"$text": id}`. */
export interface TextLine {
  readonly type: 'text'
  readonly id: string
  readonly text: string
}

/** One thing that a call asked of the machine, of a person or of what is remembered, and what came back. */
export interface Event {
  /** `canonical`, `text.read`, `commit`, `ask` … */
  readonly on: string
  args?: unknown
  gave?: unknown
  threw?: Failure
  /** It came back as a promise. */
  later?: true
  /** It had not come back when the call was over. */
  unsettled?: true
  /** What was noted of the call meanwhile. */
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
  /** The version of the tool; absent where no tool of that name is known. */
  readonly version?: string
  readonly input?: unknown
  readonly options: RecordedOptions
  /** How many calls of the session were over when this one looked back. */
  readonly seen: number
  readonly clock: {
    readonly now: readonly number[]
    readonly elapsed: readonly number[]
    readonly id: readonly string[]
  }
  readonly events: readonly Event[]
  readonly ok: boolean
  readonly answer: unknown
  /** As the journal has it. */
  readonly record?: unknown
  /** A secret was taken out of what the engines gave. */
  readonly masked?: true
  /** Why it cannot be run again. */
  readonly leftOut?: string
}

export interface RecordedOptions {
  readonly dryRun?: boolean
  readonly plan?: string
  readonly task?: string
  readonly waitMs?: number
  readonly abridged?: boolean
  readonly room?: RecordedRoom
  readonly effects?: EffectsMode
  /** Reports whether the caller could cancel, and had done so before the call began. */
  readonly signal?: 'open' | 'aborted'
}

export type Line = HeaderLine | SessionLine | TextLine | CallLine
