import type { JsonSchema } from '../../kernel/json-schema.ts'
import type { McpForm } from '../../kernel/wire-forms.ts'

/** A tool as a list for models has it, in as few characters as its meaning takes. */
export interface CompactForm extends Omit<McpForm, 'title' | 'annotations'> {
  readonly annotations?: Partial<McpForm['annotations']>
}

/** What the protocol takes for given where a hint is absent. */
const DEFAULTS: McpForm['annotations'] = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
}

/**
 * Leaves out of a listed tool what a model cannot use: a title that repeats the name, hints that the protocol takes for
 * given, and bounds that only a broken call meets. Every call is checked against the whole schema.
 */
export function compactForm({ title: _title, annotations, inputSchema, outputSchema, ...form }: McpForm): CompactForm {
  return {
    ...form,
    inputSchema: compactSchema(inputSchema),
    ...(outputSchema && { outputSchema: compactSchema(outputSchema) }),
    ...compactHints(annotations),
  }
}

function compactHints(hints: McpForm['annotations']): Pick<CompactForm, 'annotations'> {
  // The others say something of tools that change something.
  const meant = hints.readOnlyHint ? { readOnlyHint: true, openWorldHint: hints.openWorldHint } : hints
  const told = Object.entries(meant).filter(([name, value]) => value !== Object(DEFAULTS)[name])
  return told.length > 0 ? { annotations: Object.fromEntries(told) } : {}
}

const BOUNDS: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'minItems', 'maxItems'])

function compactSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
      if (BOUNDS.has(key) || (key === 'additionalProperties' && value === false)) return []
      if ((key === 'minimum' || key === 'maximum') && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER) return []
      // The names of properties are the tool's own, whatever they are.
      if (key === 'properties') return [[key, eachOf(value)]]
      return [[key, compacted(value)]]
    }),
  )
}

const eachOf = (properties: unknown): unknown =>
  Object.fromEntries(Object.entries(Object(properties)).map(([name, value]) => [name, compacted(value)]))

const compacted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(compacted)
  return typeof value === 'object' && value !== null ? compactSchema(value as JsonSchema) : value
}
