import { bash } from '../../../contracts/sage/bash.ts'
import { sage } from '../../../contracts/sage/contract.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { callIn, timeLimitOf } from './call-in.ts'
import { withEffects } from './effects.ts'
import type { BashToolInput, BashToolOptions, BashToolOutput, Tool, ToolContext } from './types.ts'
import { ensureKnownOptions } from './known-keys.ts'
import { asFailure, validateInput } from './tool-failure.ts'

/**
 * Creates the document's Bash tool. Its own command lists apply to every call, and those of a call's context to that
 * call as well.
 */
export function createBashTool(options: BashToolOptions = {}): Tool<BashToolInput, BashToolOutput> {
  asFailure(() => ensureKnownOptions(options))
  const { timeoutMs, ...lists } = options
  return withEffects(bash.effects, {
    name: bash.name,
    description: bash.description,
    version: bash.version,
    schema: inputSchema(bash),
    validate: input => validateInput(bash, input) as BashToolInput,
    execute: (input, ctx) => {
      const commandTimeoutMs = timeLimitOf(ctx) ?? timeoutMs
      const { commands }: Partial<ToolContext> = Object(ctx)
      return callIn<BashToolOutput>(
        ctx,
        sage,
        { name: bash.name, input },
        {
          commands: [
            { ...lists, of: 'tool' },
            { ...commands, of: 'call' },
          ],
          ...(commandTimeoutMs !== undefined && { commandTimeoutMs }),
        },
      )
    },
  })
}
