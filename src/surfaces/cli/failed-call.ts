import type { JournalRecord } from '../../machine/journal/chain.ts'
import { isFailedAnswer } from './usage.ts'

/**
 * Reports whether the call of a record failed, or ran to its end and did not bring about what it was for. The record has the
 * exit code of its command itself: contracts name it differently in their answers, and a long answer is kept elsewhere.
 */
export const isFailedCall = ({ ok, output, exitCode }: JournalRecord & Recorded): boolean =>
  ok !== true || isFailedAnswer(output) || isFailedAnswer({ exitCode })

interface Recorded {
  readonly ok?: unknown
  readonly output?: unknown
  readonly exitCode?: unknown
}
