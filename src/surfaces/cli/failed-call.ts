import type { JournalRecord } from '../../machine/journal/chain.ts'
import { isFailedAnswer } from './usage.ts'

/**
 * Reports whether the call of a record failed, or completed without success. The record has the command's exit code
 * itself: contracts name it differently in their answers, and a long answer is stored elsewhere.
 */
export const isFailedCall = ({ ok, output, exitCode }: JournalRecord & Recorded): boolean =>
  ok !== true || isFailedAnswer(output) || isFailedAnswer({ exitCode })

interface Recorded {
  readonly ok?: unknown
  readonly output?: unknown
  readonly exitCode?: unknown
}
