import { z } from 'zod'
import { storedInput } from './validate.ts'

export type JsonSchema = { readonly [key: string]: unknown }

/** Returns the JSON Schema of a caller's input, in which parameters with defaults are optional. */
export const inputSchema = (tool: { readonly input: z.ZodType }): JsonSchema =>
  storedInput(tool)?.schema ?? derive(tool.input, 'input')

/** Returns the JSON Schema of a tool's result. */
export const outputSchema = (tool: { readonly output: z.ZodType }): JsonSchema => derive(tool.output, 'output')

const schemas = new WeakMap<z.ZodType, Map<string, JsonSchema>>()

function derive(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const forms = schemas.get(schema) ?? new Map<string, JsonSchema>()
  schemas.set(schema, forms)
  const derivedSchema = forms.get(io)
  if (derivedSchema) return derivedSchema
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
