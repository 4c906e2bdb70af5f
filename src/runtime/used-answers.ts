import type { Claim } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import type { AskingTrail } from './thinking-time.ts'

/**
 * Reports whether a call does what no recovery takes back. Its answers are used when that begins. Changes of files are
 * whole or not there after a crash, and the same change does not land twice: their answers are used when they landed.
 */
export const cannotBeRecovered = ({ action, memory }: Claim): boolean =>
  action === 'exec' || action === 'net' || action === 'reveal' || memory === true

/** Marks the answers of a call as used, so that no other call gets them. */
export function useAnswers(trail: Pick<AskingTrail, 'answers'>): void {
  for (const answer of trail.answers?.splice(0) ?? []) answer.use?.()
}

/** The same at the end of a call; its outcome stands whether the list can be written or not. */
export function endAnswers(trail: Pick<AskingTrail, 'answers'>): void {
  try {
    useAnswers(trail)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
  }
}
