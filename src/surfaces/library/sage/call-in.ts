import type { Engines } from '../../../engines/engines.ts'
import type { Call, Contract } from '../../../kernel/contract.ts'
import { withToolkit } from '../shared-toolkit.ts'
import type { ToolContext, ToolLog, ToolResult } from './types.ts'

/** Runs one call in the workspace that the context names, with no more power than it grants. */
export async function callIn<O>(ctx: ToolContext, contract: Contract<Engines>, call: Call): Promise<ToolResult<O>> {
  return withToolkit(ctx.cwd, async kit => {
    const session = kit.session({
      contract,
      // Without a list of permissions reading is all there is; with one, the list is all there is.
      permissions: ctx.permissions ?? ['fs:read'],
      permissionsOnly: true,
      // Whoever hands over a vault has granted what is in it.
      ...(ctx.secretProvider && { secrets: ctx.secretProvider, grantSecrets: true }),
      ...(ctx.logger && { onRecord: record => ctx.logger?.(record as ToolLog) }),
    })
    return (await session.call(call.name, call.input, { dryRun: ctx.dryRun ?? false })) as ToolResult<O>
  })
}
