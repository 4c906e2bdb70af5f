import type { JsonSchema } from '../../kernel/json-schema.ts'

const text = { type: 'string' }

/** The document's ToolResult: `data` where it went well, `error` where not, and `meta` always. */
export const answerSchema = (data: JsonSchema): JsonSchema => ({
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
})
