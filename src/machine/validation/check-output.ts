import { z } from 'zod'
import type { JsonSchema } from '../../kernel/json-schema.ts'
import { ToolError } from '../../kernel/error.ts'
import type { CheckResult, Findings } from './check-result.ts'
import { domainMap } from './domain-map.ts'

/** A registered output type: a zod schema, a JSON Schema, or a function that checks the data. */
export type OutputType = z.ZodType | JsonSchema | ((data: unknown) => Findings)

/** Output types by name. */
export type OutputTypes = Readonly<Record<string, OutputType>>

/** Built-in types. */
export const OUTPUT_TYPES: OutputTypes = { domain_map: domainMap }

/** Checks of outputs by the names of their types. */
export interface ValidationEngine {
  check(outputType: string, data: unknown): Promise<CheckResult>
}

/** Checks data against the registered type of that name. An unregistered name is an error of the data. */
export function checkOutput(types: OutputTypes, name: string, data: unknown): CheckResult {
  const type = Object.hasOwn(types, name) ? types[name] : undefined
  const { errors = [], warnings = [] } = type
    ? findings(name, type, data)
    : { errors: [`Unknown output type '${name}'; known: ${Object.keys(types).join(', ') || 'none'}`] }
  return { valid: errors.length === 0, errors: errors.slice(0, MOST), warnings: warnings.slice(0, MOST) }
}

/** Maximum number of findings: large data must not make a large result. */
const MOST = 100

function findings(name: string, type: OutputType, data: unknown): Findings {
  if (typeof type === 'function') return type(data)
  const parseResult = schemaOf(name, type).safeParse(data)
  return parseResult.success ? {} : { errors: parseResult.error.issues.map(sentence) }
}

const schemas = new WeakMap<object, z.ZodType>()

function schemaOf(name: string, type: z.ZodType | JsonSchema): z.ZodType {
  if (type instanceof z.ZodType) return type
  const cachedSchema = schemas.get(type)
  if (cachedSchema) return cachedSchema
  try {
    const schema = z.fromJSONSchema(type)
    schemas.set(type, schema)
    return schema
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ToolError('invalid_input', `The schema of output type '${name}' cannot be used: ${why}`, {
      hint: 'Register it with the keywords of JSON Schema 2020-12 that zod reads, or as a function',
      cause,
    })
  }
}

function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => `Unknown key '${[place, key].filter(Boolean).join('.')}'`).join('; ')
  if (issue.code === 'invalid_type' && issue.message.endsWith('undefined'))
    return `Missing '${place}' ${String(issue.expected)}`
  return place ? `'${place}': ${issue.message}` : issue.message
}
