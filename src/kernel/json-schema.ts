import { z } from 'zod'
import { storedInput } from './validate.ts'

export type JsonSchema = { readonly [key: string]: unknown }

/** Returns the JSON Schema of a caller's input, in which parameters with defaults are optional. */
export const inputSchema = (tool: { readonly input: z.ZodType }): JsonSchema =>
  storedInput(tool)?.schema ?? derive(tool.input, 'input')

/** Returns the JSON Schema of a tool's result. */
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

/** Returns the JSON Schema of each validated parameter; an empty one if unknown. */
export function validatedSchemas(schema: z.ZodType): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = z.toJSONSchema(schema, { io: 'output', target: 'draft-2020-12', unrepresentable: 'any' })
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [name, typeof value === 'object' ? { ...value } : {}]),
  )
}
