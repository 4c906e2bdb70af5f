import { ToolError } from '../../kernel/error.ts'
import type { ApprovalAnswer, PendingApproval } from '../../kernel/pending-approval.ts'

const MOST_REASON = 2_000

/** Throws unless an answer is to this question as it was shown, and one of those it offers. */
export function ensureFits(
  { id, digest, always, changes }: PendingApproval,
  { answer, hunks, reason, digest: digestShown }: ApprovalAnswer,
): void {
  if (digestShown !== digest)
    throw new ToolError('conflict', `The question '${id}' is not the one that was answered: its digest differs`, {
      hint: 'Read the question again and answer with its digest',
      details: { state: 'open' },
    })
  if (answer === 'always' && always === undefined)
    throw invalid(`The question '${id}' does not offer always`, 'Answer yes or no')
  if (reason !== undefined && reason.length > MOST_REASON)
    throw invalid(`The reason is longer than ${MOST_REASON} characters`, 'Shorten it')
  if (hunks) ensureHunks(id, answer, hunks, changes.flatMap(change => change.hunks).length)
}

function ensureHunks(id: string, answer: string, hunks: readonly number[], count: number): void {
  if (answer !== 'yes') throw invalid('Hunks can only be accepted with yes', 'Answer yes, or leave the hunks out')
  if (count === 0)
    throw invalid(
      `The question '${id}' is answered as a whole`,
      'Only edit, patch, write and transactions have hunks: answer without them',
    )
  const isFitting =
    hunks.length > 0 &&
    new Set(hunks).size === hunks.length &&
    hunks.every(hunk => Number.isInteger(hunk) && hunk >= 1 && hunk <= count)
  if (!isFitting)
    throw invalid(`The question '${id}' has the hunks 1 to ${count}`, 'Name each accepted one once, or answer no')
}

const invalid = (message: string, hint: string): ToolError => new ToolError('invalid_input', message, { hint })
