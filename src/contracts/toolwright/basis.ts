import type { Basis } from '../../knowledge/code/types.ts'
import { z } from '../tool.ts'

/** What an answer about code rests on. */
export const basisOutput = () =>
  z.string().describe('The language server that answered, or `syntax` where the text itself was read')

/** Reports whether an answer about code may be incomplete. */
export const partialOutput = () =>
  z
    .boolean()
    .describe('Something may be missing: the time was over, or nobody can say what is meant where the name is written')

/** Files that have to do with the question and do not parse. */
export const unreadOutput = () =>
  z.array(z.string()).optional().describe('Files that do not parse where a name of the question is written')

/** The same as it is given, left out if there are none. */
export const unreadOf = (unread: readonly string[] = []): { unread?: string[] } =>
  unread.length > 0 ? { unread: [...unread] } : {}

export const basisOf = (basis: Basis): string => (basis.by === 'server' ? basis.server : 'syntax')

/** An answer of its own, and what is wrong, has to come before the time of the call is over. */
export const deadlineWithin = (timeoutMs: number): number => Math.max(timeoutMs - 500, timeoutMs / 2)
