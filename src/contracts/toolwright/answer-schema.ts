import type { JsonSchema } from '../../kernel/json-schema.ts'

const text = { type: 'string' }
const texts = { type: 'array', items: text }

/** Every answer of this contract: what the tool gives under `data`, or `error`, and what is known of the call in `meta`. */
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
        effects: { type: 'object' },
        lateEffects: { type: 'array', items: { type: 'object' } },
      },
      required: ['id', 'durationMs', 'changed'],
    },
  },
  required: ['ok', 'meta'],
})
