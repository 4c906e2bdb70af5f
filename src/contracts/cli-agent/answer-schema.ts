import type { JsonSchema } from '../../kernel/json-schema.ts'

const text = { type: 'string' }

/** The document's result object; what a tool counts besides its text is under `metadata`. */
export const answerSchema = ({ properties }: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    success: { type: 'boolean' },
    output: text,
    files_affected: { type: 'array', items: text },
    execution_time_ms: { type: 'integer' },
    metadata: Object(properties).metadata ?? { type: 'object' },
    error: {
      type: 'object',
      properties: { code: text, message: text, suggestion: text },
      required: ['code', 'message'],
    },
  },
  required: ['success', 'output', 'files_affected', 'execution_time_ms'],
})
