import type { Basis } from '../../knowledge/code/types.ts'
import { z } from '../tool.ts'

/** The basis of an answer about code. */
export const basisOutput = () =>
  z.string().describe('The language server that answered, or `syntax` if the text was read instead')

/** Reports whether an answer about code may be incomplete. */
export const partialOutput = () =>
  z.boolean().describe('Results may be missing: time ran out, or the meaning of some occurrences is unknown')

/** Relevant files that do not parse. */
export const unreadOutput = () =>
  z.array(z.string()).optional().describe('Files that mention the name and do not parse')

/** The value for the answer, left out if there are none. */
export const unreadOf = (unread: readonly string[] = []): { unread?: string[] } =>
  unread.length > 0 ? { unread: [...unread] } : {}

export const basisOf = (basis: Basis): string => (basis.by === 'server' ? basis.server : 'syntax')

/** Leaves time for an answer, with the reason, before the call times out. */
export const deadlineWithin = (timeoutMs: number): number => Math.max(timeoutMs - 500, timeoutMs / 2)
