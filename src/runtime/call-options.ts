import type { AnswerRoom } from '../kernel/answer-room.ts'
import type { EffectsMode } from '../kernel/edit-effects.ts'
import type { OutputChunk } from '../kernel/run-facts.ts'
import type { Answerer } from './questions.ts'

/** Who makes a call, as its surface knows them; shown to whoever is asked. */
export interface Caller {
  /** The program, such as an MCP client; the session's by default. */
  readonly client?: string
  /** The agent or sub-agent in that program. */
  readonly agent?: string
  /** How long the surface waits for an answer; without end by default. */
  readonly answerMs?: number
}

/** Options of one call. */
export interface CallOptions {
  readonly dryRun?: boolean
  readonly plan?: string
  readonly task?: string
  readonly signal?: AbortSignal
  /** Receives a command's output while it runs. */
  readonly onOutput?: (chunk: OutputChunk) => void
  /** Receives the progress of a long call. */
  readonly onProgress?: (text: string) => void
  /** How long to wait for a language server before answering from the text; all of the time by default. */
  readonly waitMs?: number
  /** The answer omits parts that only programs use, such as the bytes of an image; the outcome keeps them. */
  readonly abridged?: boolean
  /** The size of an answer that the caller accepts, if less than the session's limit. */
  readonly room?: AnswerRoom
  /** Lands only these hunks of what a dry run with this `plan` has shown. */
  readonly hunks?: readonly number[]
  /** Asked about this call instead of the session's answerers. */
  readonly approve?: Answerer
  readonly caller?: Caller
  /** Whether the answer reports what a change breaks, and waits for all of it; the session's setting by default. */
  readonly effects?: EffectsMode
}
