import type { z } from 'zod'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { withEffects } from './effects.ts'
import { executeHosted, type HostedTool } from './host-tool.ts'
import type { Tool, ToolDefinition } from './types.ts'
import { validateInput } from './tool-failure.ts'

/** Creates a tool from a function of the host. */
// oxlint-disable-next-line typescript/no-explicit-any -- the document's own signature
export function defineTool<T extends z.ZodObject<any>>(definition: ToolDefinition<T>): Tool<z.infer<T>, any> {
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
