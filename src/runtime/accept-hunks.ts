import type { Change } from '../kernel/change.ts'
import { ToolError } from '../kernel/error.ts'
import { dividedHunks, type LandedPart } from '../kernel/hunks.ts'
import type { Approval } from './approve.ts'
import type { Opened } from './session.ts'

interface AcceptedPart {
  readonly landed: readonly LandedPart[]
  /** Tells the model what a person left out. */
  readonly warning: string
}

const MOST_NAMED = 10

/** Leaves only the hunks that a person accepted. The changes are all that they saw. */
export function acceptHunks<Engines>(
  { accept }: Pick<Opened<Engines>, 'accept'>,
  changes: readonly Change[],
  acceptedNumbers: readonly number[],
  { reason }: Pick<Approval, 'reason'>,
): AcceptedPart {
  if (!accept) throw new ToolError('internal', 'Only a part was accepted, and this call cannot be divided')
  const hunksByFile = dividedHunks(changes.map(change => ({ ...change, diff: change.diff() })))
  const all = hunksByFile.flatMap((hunks, at) => hunks.map(hunk => `${changes[at]?.path} ${placeOf(hunk)}`.trim()))
  const refusedHunks = all.filter((_, at) => !acceptedNumbers.includes(at + 1))
  const more = refusedHunks.length > MOST_NAMED ? ` and ${refusedHunks.length - MOST_NAMED} more` : ''
  const because = reason === undefined ? '' : `, because: ${reason}`
  return {
    landed: accept(acceptedNumbers),
    warning:
      `A person accepted ${acceptedNumbers.length} of ${all.length} hunks. ` +
      `Not landed: ${refusedHunks.slice(0, MOST_NAMED).join(', ')}${more}${because}. Do not make these changes again unasked`,
  }
}

/** Returns the line range of a hunk, as its first line gives it; nothing for a change that is not divided. */
const placeOf = (hunk: string): string => /^@@ [^@]* @@/.exec(hunk)?.[0] ?? ''
