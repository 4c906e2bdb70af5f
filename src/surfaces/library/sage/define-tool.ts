import type { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { withEffects } from './effects.ts'
import { executeHosted, type HostedTool } from './host-tool.ts'
import type { Tool, ToolDefinition } from './types.ts'
import { ToolFailure, validateInput } from './tool-failure.ts'

/** Creates a tool from a function of the host. */
// oxlint-disable-next-line typescript/no-explicit-any -- the document's own signature
export function defineTool<T extends z.ZodObject<any>>(definition: ToolDefinition<T>): Tool<z.infer<T>, any> {
  ensureDefinition(definition)
  const { name, description, parameters, implementation, version = '1.0.0', effects, ...rest } = definition
  const hostedTool: HostedTool<T> = {
    ...rest,
    name,
    description,
    version,
    effects,
    input: parameters,
    call: implementation,
  }
  return withEffects(effects ?? ['exec'], {
    name,
    description,
    version,
    schema: inputSchema(hostedTool),
    validate: input => validateInput(hostedTool, input),
    execute: (input, ctx) => executeHosted(hostedTool, input, ctx),
  })
}

/** Programs without types can pass anything. */
function ensureDefinition(definition: unknown): void {
  const { name, parameters, implementation }: Partial<ToolDefinition> = Object(definition)
  const isSchema = typeof Object(parameters).safeParse === 'function'
  if (typeof name === 'string' && isSchema && typeof implementation === 'function') return
  throw new ToolFailure(
    new ToolError('invalid_input', 'This does not define a tool', {
      hint: 'defineTool takes a name, a description, parameters (a Zod object), and the function implementation',
    }),
  )
}
