import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import { published } from '../published.ts'
import { answerSchema } from './answer-schema.ts'
import { CODES, codeOf } from './codes.ts'
import { failureOf, type ErrorResponse } from './failure.ts'
import { listFiles } from './list-files.ts'
import { metrics } from './metrics.ts'
import { promptFor } from './prompts.ts'
import { queryIndex } from './query-index.ts'
import { readFile } from './read-file.ts'

/** Every tool of the contract `superconnect`. */
export type SuperconnectTool = typeof queryIndex | typeof readFile | typeof listFiles

/** The document "Agent Tool Interface Contract" of superconnect. */
export const superconnect: Contract<Engines, SuperconnectTool> = published({
  id: 'superconnect',
  tools: [queryIndex, readFile, listFiles],
  // The document's own limits: 500KB of text, in which every character may take six in JSON.
  answerBytes: 4 * 1024 * 1024,
  metrics,
  taskParameter: {
    name: 'component',
    description: 'The component that the call is for; its budgets and metrics are counted separately',
  },
  prompts: { react: () => promptFor('react'), angular: () => promptFor('angular') },
  codes: CODES,
  answerSchema,
  envelope(call, outcome) {
    if (outcome.ok) return outcome.data
    const { error } = outcome
    const failure = failureOf(call, error)
    const message = failure.message ?? [error.message, failure.hint ?? error.hint].filter(Boolean).join('. ')
    const details = failure.details ?? error.details
    const answer: ErrorResponse = {
      error: { code: codeOf(call, error), message, ...(details && { details }) },
    }
    return answer
  },
})
