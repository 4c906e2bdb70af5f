import { z } from 'zod'
import { sage } from '../../../contracts/sage/contract.ts'
import { defineTool } from '../../../engines/engines.ts'
import type { Effect } from '../../../kernel/claim.ts'
import { callIn, timeLimitOf } from './call-in.ts'
import { ensureGranted, untriedEffects } from './ensure-granted.ts'
import type { ToolContext, ToolResult } from './types.ts'

type HostFunction<In extends z.ZodType> = (args: z.output<In>, ctx: ToolContext) => Promise<unknown>

/** A function of the host's program that runs in our pipeline. */
export interface HostedTool<In extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly description?: string | undefined
  readonly version?: string | undefined
  readonly input: In
  /** May have any effect if undefined. */
  readonly effects?: readonly Effect[] | undefined
  readonly timeoutMs?: number | undefined
  readonly simulates?: boolean | undefined
  readonly call: HostFunction<In>
  /** Called instead in a dry run. */
  readonly simulate?: HostFunction<In> | undefined
  /** The contract's envelope, with the function's own failure message. */
  readonly envelope?: typeof sage.envelope
}

/**
 * Calls the function like every other tool: validated, with secrets filled in, timed, redacted and journaled. Direct
 * effects of the function on the machine are not controlled, because it is the host's own code.
 */
export function executeHosted<In extends z.ZodType, O>(
  hostedTool: HostedTool<In>,
  input: unknown,
  ctx: ToolContext,
): Promise<ToolResult<O>> {
  const { name, description = '', version = '0.0.0', effects = ['exec'], envelope = sage.envelope } = hostedTool
  let skippedEffects: readonly Effect[] | undefined
  const timeoutMs = timeLimitOf(ctx) ?? hostedTool.timeoutMs
  const tool = defineTool({
    name,
    description,
    version,
    input: hostedTool.input,
    output: z.unknown(),
    effects,
    ...(timeoutMs !== undefined && { timeoutMs }),
    claims: () => [],
    async run(args) {
      ensureGranted(hostedTool, ctx)
      skippedEffects = untriedEffects(hostedTool, ctx)
      if (skippedEffects) return undefined
      const hostFunction = (ctx.dryRun && hostedTool.simulate) || hostedTool.call
      return hostFunction(args, ctx)
    },
    examples: [],
  })
  const envelopeWithEffects: typeof envelope = (call, outcome) => {
    const answer = Object(envelope(call, outcome))
    return skippedEffects && outcome.ok ? { ...answer, meta: { ...answer.meta, effects: skippedEffects } } : answer
  }
  return callIn<O>(ctx, { ...sage, tools: [tool], envelope: envelopeWithEffects }, { name, input })
}
