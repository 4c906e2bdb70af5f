import { z } from 'zod'
import { sage } from '../../../contracts/sage/contract.ts'
import { ToolError, type Code } from '../../../kernel/error.ts'
import { executeHosted, type HostedTool } from './host-tool.ts'
import type { Tool, ToolContext } from './types.ts'
import { ToolFailure, validateInput } from './tool-failure.ts'

/**
 * Runs a tool that the host wrote against the document's interface in our pipeline. It keeps its name, description,
 * version and schema.
 */
export function handWritten<I, O>(tool: Tool<I, O>): Tool<I, O> {
  const { name, description, version } = tool
  const hostedTool: HostedTool<z.ZodType<I>> = {
    name,
    description,
    version,
    input: inputOf(tool),
    call: async (args, ctx: ToolContext) => dataOf(name, await tool.execute(args, ctx)),
    envelope: withOwnFailure,
  }
  return {
    name,
    ...(description !== undefined && { description }),
    ...(version !== undefined && { version }),
    schema: tool.schema,
    validate: input => validateInput(hostedTool, input),
    execute: (input, ctx) => executeHosted(hostedTool, input, ctx),
  }
}

/** The tool's JSON Schema, then its own check. That gets a copy, because what is validated is frozen. */
function inputOf<I, O>(tool: Tool<I, O>): z.ZodType<I> {
  const schema = schemaOf(tool)
  return z.unknown().transform((given, check): I => {
    // The schema only checks: defaults are up to the tool.
    const { error } = schema.safeParse(given)
    for (const issue of error?.issues ?? []) check.addIssue({ ...issue })
    if (error) return z.NEVER
    try {
      return tool.validate(structuredClone(given))
    } catch (cause) {
      check.addIssue({ code: 'custom', message: cause instanceof Error ? cause.message : String(cause) })
      return z.NEVER
    }
  })
}

/** Treats a schema with properties as an object schema. Refuses keywords that cannot be checked. */
function schemaOf<I, O>({ name, schema }: Tool<I, O>): z.ZodType {
  const { properties, required } = Object(schema)
  const isObject = properties !== undefined || required !== undefined
  try {
    return z.fromJSONSchema({ ...(isObject && { type: 'object' }), ...schema })
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new ToolFailure(
      new ToolError('invalid_input', `The JSON Schema of '${name}' cannot be checked: ${why}`, {
        hint: 'Leave the keyword out of the schema, and check it in validate',
        cause,
      }),
    )
  }
}

/** A failed call's own message. */
interface Answered {
  readonly code: string
  readonly data?: unknown
}

function dataOf(name: string, result: unknown): unknown {
  const { ok, data, error }: { ok?: unknown; data?: unknown; error?: { code?: unknown; message?: unknown } } =
    Object(result)
  if (ok === true) return data
  if (ok !== false)
    throw new ToolError('invalid_result', `'${name}' returned no result: { ok, data } or { ok, error } is expected`)
  const code = typeof error?.code === 'string' ? error.code : 'ERUNTIME'
  const hostAnswer: Answered = { code, ...(data !== undefined && { data }) }
  const message = typeof error?.message === 'string' ? error.message : `'${name}' failed without a reason`
  throw new ToolError(OURS.get(code) ?? 'unavailable', message, { details: { answered: hostAnswer } })
}

const OURS: ReadonlyMap<string, Code> = new Map([
  ['EVALIDATION', 'invalid_input'],
  ['EPERMISSION', 'denied'],
  ['ETIMEOUT', 'timeout'],
  ['EQUOTA', 'quota'],
])

const withOwnFailure: typeof sage.envelope = (call, outcome) => {
  const answer = Object(sage.envelope(call, outcome))
  const hostAnswer = outcome.ok ? undefined : (outcome.error.details?.['answered'] as Answered | undefined)
  if (!hostAnswer) return answer
  const { code, ...data } = hostAnswer
  return { ...answer, ...data, error: { ...answer.error, code } }
}
