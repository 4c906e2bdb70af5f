import { bash } from '../../../contracts/sage/bash.ts'
import { sage } from '../../../contracts/sage/contract.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { validate } from '../../../kernel/validate.ts'
import { callIn } from './call-in.ts'
import { withEffects } from './effects.ts'
import type { BashToolInput, BashToolOptions, BashToolOutput, Tool } from './types.ts'

/** The document's Bash tool. Its own lists hold for every call, those of a call's context for that call besides. */
export function createBashTool(options: BashToolOptions = {}): Tool<BashToolInput, BashToolOutput> {
  const { timeoutMs, ...lists } = options
  return withEffects(bash.effects, {
    name: bash.name,
    description: bash.description,
    version: bash.version,
    schema: inputSchema(bash),
    validate: input => validate(bash, input) as BashToolInput,
    execute: (input, ctx) =>
      callIn<BashToolOutput>(
        ctx,
        sage,
        { name: bash.name, input },
        {
          commands: [lists, ctx.commands ?? {}],
          ...(timeoutMs !== undefined && { commandTimeoutMs: timeoutMs }),
        },
      ),
  })
}
