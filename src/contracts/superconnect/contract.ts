import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import { answerSchema } from './answer-schema.ts'
import { failureOf } from './failure.ts'
import { listFiles } from './list-files.ts'
import { metrics } from './metrics.ts'
import { promptFor } from './prompts.ts'
import { queryIndex } from './query-index.ts'
import { readFile } from './read-file.ts'

/** The document "Agent Tool Interface Contract" of superconnect. */
export const superconnect: Contract<Engines> = {
  id: 'superconnect',
  tools: [queryIndex, readFile, listFiles],
  // The document's own limits hold: 500KB of text, of which every character may take six in JSON.
  answerBytes: 4 * 1024 * 1024,
  metrics,
  prompts: { react: () => promptFor('react'), angular: () => promptFor('angular') },
  codes: {
    invalid_input: 'INVALID_PARAMETERS',
    unknown_tool: 'UNKNOWN_TOOL',
    unknown_secret: 'UNKNOWN_SECRET',
    not_found: 'FILE_NOT_FOUND',
    not_a_file: 'FILE_NOT_FOUND',
    not_a_directory: 'FILE_NOT_FOUND',
    exists: 'FILE_EXISTS',
    binary: 'BINARY_FILE',
    too_large: 'FILE_TOO_LARGE',
    out_of_range: 'INVALID_PARAMETERS',
    no_match: 'NO_MATCH',
    ambiguous: 'AMBIGUOUS',
    conflict: 'CONFLICT',
    invalid_result: 'INTERNAL_ERROR',
    outside_workspace: 'INVALID_PATH',
    denied: 'PERMISSION_DENIED',
    rejected: 'NOT_APPROVED',
    budget_exceeded: 'BUDGET_EXCEEDED',
    quota: 'QUOTA_EXCEEDED',
    timeout: 'TIMEOUT',
    cancelled: 'CANCELLED',
    unavailable: 'UNAVAILABLE',
    io: 'IO_ERROR',
    internal: 'INTERNAL_ERROR',
  },
  answerSchema,
  envelope(call, outcome) {
    if (outcome.ok) return outcome.data
    const { error } = outcome
    const failure = failureOf(call, error)
    const named = superconnect.tools.find(({ name }) => name === call.name)?.codes?.[error.code]
    const message = failure.message ?? [error.message, error.hint].filter(Boolean).join('. ')
    const details = failure.details ?? error.details
    return {
      error: { code: failure.code ?? named ?? superconnect.codes[error.code], message, ...(details && { details }) },
    }
  },
}
