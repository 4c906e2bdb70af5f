import type { AnswerBasis } from '../../knowledge/code/types.ts'
import type { CallContext } from '../../kernel/tool.ts'
import { z } from '../tool.ts'
import { basisOf, basisOutput, deadlineWithin, partialOutput } from './basis.ts'

/** Longest wait for an answer. */
export const LONGEST_MS = 600_000

/** For a request that the text can answer too. */
export const WAIT_HELP =
  'then the text answers, as `provisional`. Default: 2 s over MCP, otherwise as long as the call may take'

/** For every tool that asks a language server. */
export const waitInput = (otherwise: string) => ({
  waitMs: z.int().min(0).max(LONGEST_MS).optional().describe(`How long to wait for the language server; ${otherwise}`),
})

/** Returns the time limit of one request, and the receiver of its progress. */
export const timeOf = (
  { timeoutMs, signal, tell }: Pick<CallContext, 'timeoutMs' | 'signal' | 'tell'>,
  waitMs = Infinity,
) => ({
  deadlineMs: Math.min(deadlineWithin(timeoutMs), Math.max(waitMs, 1)),
  signal,
  moreTime: '"waitMs"',
  ...(tell && { onProgress: tell }),
})

/** The same for a request that the text answers if the server takes longer. */
export const waitOf = (call: CallContext, waitMs: number | undefined) => ({
  ...timeOf(call),
  waitMs: waitMs ?? call.waitMs ?? call.timeoutMs,
})

/** The basis of an answer. */
export const basisFields = () => ({
  basis: basisOutput(),
  provisional: z
    .boolean()
    .optional()
    .describe('The language server did not answer within `waitMs`, so the text was read: ask again, or wait longer'),
  why: z.string().optional().describe('Why no language server answered, and its progress'),
  partial: partialOutput(),
})

export const basisValues = ({ basis, provisional, why, partial }: AnswerBasis) => ({
  basis: basisOf(basis),
  ...(provisional && { provisional }),
  ...(why !== undefined && { why }),
  partial,
})
