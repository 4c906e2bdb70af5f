import type { Basis } from '../../knowledge/code/types.ts'
import { z } from '../tool.ts'

/** The basis of an answer about code. */
export const basisOutput = () =>
  z.string().describe('The language server that answered, or `syntax` where the text itself was read')

/** Reports whether an answer about code may be incomplete. */
export const partialOutput = () =>
  z
    .boolean()
    .describe('Something may be missing: the time was over, or nobody can say what is meant where the name is written')

/** Relevant files that do not parse. */
export const unreadOutput = () =>
  z.array(z.string()).optional().describe('Files that do not parse where a name of the question is written')

/** The value for the answer, left out if there are none. */
export const unreadOf = (unread: readonly string[] = []): { unread?: string[] } =>
  unread.length > 0 ? { unread: [...unread] } : {}

export const basisOf = (basis: Basis): string => (basis.by === 'server' ? basis.server : 'syntax')

/** Leaves time for an answer, with the reason, before the call times out. */
export const deadlineWithin = (timeoutMs: number): number => Math.max(timeoutMs - 500, timeoutMs / 2)
