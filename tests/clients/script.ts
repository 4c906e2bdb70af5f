/** One tool call: the name as our server lists it, and the input. */
export interface Call {
  readonly tool: string
  readonly input: object
}

/** What the model answers once: calls, side by side where there are several, or a text, which ends the turn. */
export type Step = readonly Call[] | string

/** What the model does about each prompt: prompt → its answers in order. */
export type Script = Readonly<Record<string, readonly Step[]>>

/** A conversation as both protocols have it: who spoke, and the text of it. */
export interface Turn {
  readonly by: 'person' | 'model'
  readonly text: string
}

/** One event of a streamed answer. */
export interface StreamEvent {
  readonly type: string
  readonly [field: string]: unknown
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
