import type { AnswerRoom } from '../kernel/answer-room.ts'
import type { EffectsMode } from '../kernel/edit-effects.ts'
import type { OutputChunk } from '../kernel/run-facts.ts'
import type { Answerer } from './questions.ts'

/** How one call is to be made. */
export interface CallOptions {
  readonly dryRun?: boolean
  readonly plan?: string
  readonly task?: string
  readonly signal?: AbortSignal
  /** Hears what a command prints while it runs. */
  readonly onOutput?: (chunk: OutputChunk) => void
  /** Hears what a call that takes long is doing. */
  readonly onProgress?: (text: string) => void
  /** How long a question about code waits for a language server before it is answered from the text; all its time unless given. */
  readonly waitMs?: number
  /** The answer leaves out what only programs use, such as the bytes of an image; the outcome has it all the same. */
  readonly abridged?: boolean
  /** How much of an answer whoever calls can take, where that is less than the session gives. */
  readonly room?: AnswerRoom
  /** Asked about this call in place of whoever the session asks. */
  readonly approve?: Answerer
  /** Reports whether the answer tells what a change breaks, and whether it waits for all of it; as the session says unless given. */
  readonly effects?: EffectsMode
}
