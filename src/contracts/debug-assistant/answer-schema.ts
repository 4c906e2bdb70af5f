import type { JsonSchema } from '../../kernel/json-schema.ts'

const text = { type: 'string' }

/** The document's result: `data` where it went well, `error` where not. */
export const answerSchema = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    data,
    error: { type: 'object', properties: { code: text, message: text }, required: ['code', 'message'] },
  },
  required: ['success'],
})
