import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { published } from '../published.ts'
import { bash } from './bash.ts'
import { edit } from './edit.ts'
import { failureOf } from './failure.ts'
import { graphQuery } from './graph-query.ts'
import { read } from './read.ts'
import { write } from './write.ts'
import type { JsonSchema } from '../../kernel/json-schema.ts'

/** Every tool of the contract `sage`. */
export type SageTool = typeof read | typeof write | typeof edit | typeof bash | typeof graphQuery

/** The document "Tools Contract" of `@sage/tools`. */
export const sage: Contract<Engines, SageTool> = published({
  id: 'sage',
  tools: [read, write, edit, bash, graphQuery],
  // The document has no cut answers; the tool refuses a file that is too large.
  answerBytes: 8 * 1024 * 1024,
  limitsWrites: true,
  codes: {
    invalid_input: 'EVALIDATION',
    unknown_tool: 'EVALIDATION',
    unknown_secret: 'EVALIDATION',
    not_found: 'ERUNTIME',
    not_a_file: 'ERUNTIME',
    not_a_directory: 'ERUNTIME',
    exists: 'EVALIDATION',
    binary: 'ERUNTIME',
    too_large: 'EQUOTA',
    out_of_range: 'ERUNTIME',
    no_match: 'ERUNTIME',
    ambiguous: 'ERUNTIME',
    conflict: 'ERUNTIME',
    invalid_result: 'ERUNTIME',
    outside_workspace: 'EPERMISSION',
    denied: 'EPERMISSION',
    rejected: 'EPERMISSION',
    budget_exceeded: 'EQUOTA',
    quota: 'EQUOTA',
    timeout: 'ETIMEOUT',
    cancelled: 'ERUNTIME',
    unavailable: 'ERUNTIME',
    io: 'ERUNTIME',
    internal: 'ERUNTIME',
  },
  answerSchema,
  recordsResources: true,
  envelope(_call, outcome) {
    const { startedAt, endedAt, durationMs, dryRun, diff, warnings } = outcome.meta
    const meta = {
      startedAt,
      endedAt,
      durationMs,
      ...(dryRun && { dryRun, diff: diff ?? '' }),
      ...(warnings && { warnings }),
    }
    if (outcome.ok) return { ok: true, data: dryRun ? dryRunData(outcome.data) : outcome.data, meta }
    return { ok: false, ...failureOf(outcome.error, sage.codes), meta }
  },
})

/** After a dry run, `written` and `applied` are false. */
function dryRunData(data: Extract<Outcome, { ok: true }>['data']): unknown {
  if (typeof data !== 'object' || data === null) return data
  return { ...data, ...('written' in data && { written: false }), ...('applied' in data && { applied: false }) }
}

const text = { type: 'string' }

/** The document's ToolResult: `data` on success, otherwise `error`, and always `meta`. */
function answerSchema(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      ok: { type: 'boolean' },
      data,
      error: { type: 'object', properties: { code: text, message: text }, required: ['code', 'message'] },
      meta: {
        type: 'object',
        properties: { startedAt: text, endedAt: text, durationMs: { type: 'number' } },
        required: ['startedAt', 'endedAt', 'durationMs'],
      },
    },
    required: ['ok', 'meta'],
  }
}
