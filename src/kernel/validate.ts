import type { z } from 'zod'
import { ToolError } from './error.ts'
import { matchSimple, storedInput } from './stored-input.ts'

/** Returns the input as the tool's schema sees it, frozen. This one value is shown, matched, logged and run. */
export function validate<In extends z.ZodType>(
  tool: { readonly name: string; readonly input: In },
  input: unknown,
): z.output<In> {
  const simple = storedInput(tool)?.simple
  const matched = simple && matchSimple(simple, input)
  if (matched) return freeze(matched as z.output<In>)
  const parsed = tool.input.safeParse(input)
  if (parsed.success) return freeze(parsed.data)
  throw new ToolError('invalid_input', parsed.error.issues.map(describe).join('; '), {
    ...hintOf(tool),
    details: { issues: parsed.error.issues.map(issue => ({ path: issue.path.join('.'), message: issue.message })) },
  })
}

/** The parameters of a tool that checks its own input are unknown here. */
function hintOf({ name, input }: { readonly name: string; readonly input: z.ZodType }): { readonly hint?: string } {
  if (!('shape' in input)) return {}
  const expected = expectedKeys(input)
  return { hint: expected.length > 0 ? `Parameters of ${name}: ${expected.join(', ')}` : `${name} takes no parameters` }
}

/** Returns the parameters of a schema, in its own order. */
export const parameterNames = (schema: z.ZodType): string[] => Object.keys(shapeOf(schema))

/** The same for people: optional parameters end in a question mark. */
export function expectedKeys(schema: z.ZodType): string[] {
  const issues = schema.safeParse({}).error?.issues ?? []
  const missed = new Set(issues.flatMap(({ code, path }) => (code === 'custom' ? [] : path.slice(0, 1).map(String))))
  return parameterNames(schema).map(key => (missed.has(key) ? key : `${key}?`))
}

/** Freezes a value deeply, even if its top level is frozen already. */
export function freeze<T>(value: T, seen?: Set<unknown>): T {
  // The memory of a buffer cannot be frozen.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value
  if (!Object.isFrozen(value)) Object.freeze(value)
  else if (seen?.has(value)) return value
  let met = seen
  for (const inner of Object.values(value)) {
    if (typeof inner !== 'object' || inner === null) continue
    met ??= new Set<unknown>()
    freeze(inner, met.add(value))
  }
  return value
}

function shapeOf(schema: z.ZodType): object {
  const shape: unknown = 'shape' in schema ? schema.shape : undefined
  return typeof shape === 'object' && shape !== null ? shape : {}
}

function describe(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map(key => `Unknown parameter '${[place, key].filter(Boolean).join('.')}'`).join('; ')
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.message.endsWith('undefined'))
    return place ? `Missing parameter '${place}'` : 'The input is missing: an object with the parameters is expected'
  return place ? `Parameter '${place}': ${issue.message}` : issue.message
}
