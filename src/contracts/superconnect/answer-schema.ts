import type { JsonSchema } from '../../kernel/json-schema.ts'

const text = { type: 'string' }

/** The tool's output, or only `error`. */
export const answerSchema = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    ...Object(data['properties']),
    error: {
      type: 'object',
      properties: { code: text, message: text, details: { type: 'object' } },
      required: ['code', 'message'],
    },
  },
})
