import type { Meta } from '../kernel/outcome.ts'
import type { Clock } from './clock.ts'
import type { Answer } from './questions.ts'
import type { RunTexts } from './run-texts.ts'

/** The open questions of one call, and how long any has been open. */
export interface ThinkingTime {
  open: number
  since: number
  ms: number
}

/** The facts about a call that a question needs, and the time that people took. */
export interface AskingTrail {
  /** The id of the call. */
  readonly id: string
  readonly given?: unknown
  readonly dryRun: boolean
  /** Whether the session was in a transaction when that was last looked at. */
  readonly isStaging?: boolean
  thinking?: ThinkingTime
  /** What an approved command runs from the workspace, as it was when a person was asked. */
  runs?: RunTexts
  /** The answers of the list that the call has and that still count if it is killed. */
  answers?: Answer[]
  landed: Partial<Meta>
}

/** Counts how long a call waits for a person. Questions that are open at the same time count once. */
export async function countThinking(
  { elapsed }: Pick<Clock, 'elapsed'>,
  trail: AskingTrail,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const time = (trail.thinking ??= { open: 0, since: 0, ms: 0 })
  if (time.open++ === 0) time.since = elapsed()
  const answer = await ask().finally(() => {
    if (--time.open === 0) time.ms += elapsed() - time.since
  })
  if (answer.by !== 'nobody') trail.landed = { ...trail.landed, askedMs: Math.round(time.ms * 1000) / 1000 }
  return answer
}
