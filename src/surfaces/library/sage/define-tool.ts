import { z } from 'zod'
import { sage } from '../../../contracts/sage/contract.ts'
import { defineTool as defineOurs } from '../../../engines/engines.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { validate } from '../../../kernel/validate.ts'
import { callIn } from './call-in.ts'
import { demandGranted } from './demand-granted.ts'
import { withEffects } from './effects.ts'
import type { Tool, ToolContext, ToolDefinition } from './types.ts'

/**
 * Makes a tool of the host's own function. It is validated, timed, redacted and journaled as every other;
 * what the function does to the machine by itself is the host's own affair, for it is the host's own code.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the document's own signature
export function defineTool<T extends z.ZodObject<any>>(definition: ToolDefinition<T>): Tool<z.infer<T>, any> {
  const { name, description, parameters, implementation, version = '1.0.0', effects = ['exec'], timeoutMs } = definition
  const toolFor = (ctx: ToolContext) =>
    defineOurs({
      name,
      description,
      version,
      input: parameters,
      output: z.unknown(),
      effects,
      ...(timeoutMs !== undefined && { timeoutMs }),
      claims: () => [],
      run(args) {
        demandGranted(definition, ctx)
        return implementation(args, ctx)
      },
      examples: [],
    })
  return withEffects(effects, {
    name,
    description,
    version,
    schema: inputSchema({ input: parameters }),
    validate: input => validate({ name, input: parameters }, input),
    execute: (input, ctx) => callIn(ctx, { ...sage, tools: [toolFor(ctx)] }, { name, input }),
  })
}
