import type { JsonSchema } from '../../kernel/json-schema.ts'

/** What the tool gives as it is, or `error` alone; a list is no object and has no schema of this kind. */
export function answerSchema({ properties, type }: JsonSchema): JsonSchema | undefined {
  if (type !== 'object') return undefined
  return { type: 'object', properties: { ...Object(properties), error: { type: 'string' } } }
}
