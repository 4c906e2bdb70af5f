import { z } from 'zod'

export type JsonSchema = { readonly [key: string]: unknown }

/** The JSON Schema of what a caller sends: defaults are optional there. */
export const inputSchema = (tool: { readonly input: z.ZodType }): JsonSchema => derive(tool.input, 'input')

/** The JSON Schema of what a caller gets. */
export const outputSchema = (tool: { readonly output: z.ZodType }): JsonSchema => derive(tool.output, 'output')

const derived = new WeakMap<z.ZodType, Map<string, JsonSchema>>()

function derive(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const forms = derived.get(schema) ?? new Map<string, JsonSchema>()
  derived.set(schema, forms)
  const known = forms.get(io)
  if (known) return known
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' })
  forms.set(io, rest)
  return rest
}
