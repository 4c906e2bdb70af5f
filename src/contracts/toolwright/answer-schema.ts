import type { JsonSchema } from '../../kernel/json-schema.ts'

const text = { type: 'string' }
const texts = { type: 'array', items: text }

/**
 * Schema of every answer of this contract: the tool's output as `data`, or `error`, and details of the call in `meta`.
 */
export const answerSchema = (data: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: {
    ok: { type: 'boolean' },
    data,
    error: {
      type: 'object',
      properties: { code: text, message: text, hint: text, details: { type: 'object' } },
      required: ['code', 'message', 'hint'],
    },
    meta: {
      type: 'object',
      properties: {
        id: text,
        durationMs: { type: 'number' },
        changed: texts,
        changedInAll: { type: 'integer' },
        undo: text,
        transaction: text,
        ref: text,
        bytes: { type: 'integer' },
        warnings: texts,
        hint: text,
        effects: { type: 'object' },
        lateEffects: { type: 'array', items: { type: 'object' } },
      },
      required: ['id', 'durationMs', 'changed'],
    },
  },
  required: ['ok', 'meta'],
})
