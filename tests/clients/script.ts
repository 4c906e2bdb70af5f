/** One tool call: the name as our server lists it, and the input. */
export interface Call {
  readonly tool: string
  readonly input: object
}

/** A call whose arguments are sent as they stand here, valid or not. */
export interface RawCall {
  readonly tool: string
  readonly raw: string
}

/** An answer of the service in place of the model's. */
interface Failure {
  readonly status: number
  readonly message?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What the model answers once, with what can go wrong. */
export interface Answer {
  readonly text?: string
  readonly calls?: readonly (Call | RawCall)[]
  /** Why the answer ends, if not because it is complete. */
  readonly stop?: 'length' | 'refusal'
  /** The connection breaks in the middle of the answer, so many times, before it is whole. */
  readonly breaks?: number
  /** The service fails so before it answers. */
  readonly failures?: readonly Failure[]
}

/** What the model answers once: calls, side by side where there are several, or a text, which ends the turn. */
export type Step = readonly Call[] | string | Answer

/** What the model does about each prompt: prompt → its answers in order. */
export type Script = Readonly<Record<string, readonly Step[]>>

/** A conversation as all protocols have it: who spoke, and the text of it. */
export interface Turn {
  readonly by: 'person' | 'model'
  readonly text: string
}

/** One event of a streamed answer. */
export interface StreamEvent {
  readonly type?: string
  readonly [field: string]: unknown
}

/** What an answer costs, as the service counts it. */
export interface Usage {
  readonly input: number
  readonly output: number
}

/**
 * The answer that is due in this conversation: the model has answered the newest prompt as often as it spoke after it.
 * Nothing is kept between requests, so what a client asks on the side (a title, a summary) disturbs nothing.
 */
export function nextStep(script: Script, turns: readonly Turn[]): Step {
  const asked = turns.findLastIndex(({ by, text }) => by === 'person' && promptIn(script, text) !== undefined)
  const steps = script[promptIn(script, turns[asked]?.text ?? '') ?? ''] ?? []
  const answered = turns.slice(asked).filter(({ by }) => by === 'model').length
  return steps[answered] ?? 'The script has nothing more to say.'
}

/** Clients put texts of their own around what was typed. */
const promptIn = (script: Script, text: string): string | undefined =>
  Object.keys(script).find(prompt => text.includes(prompt))

export function answerOf(step: Step): Answer {
  if (typeof step === 'string') return { text: step }
  return isCalls(step) ? { calls: step } : step
}

const isCalls = (step: Step): step is readonly Call[] => Array.isArray(step)

/** The arguments of a call as they are sent. */
export const argumentsOf = (call: Call | RawCall): string => ('raw' in call ? call.raw : JSON.stringify(call.input))
