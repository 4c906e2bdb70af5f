import { z } from 'zod'
import { sage } from '../../../contracts/sage/contract.ts'
import { defineTool } from '../../../engines/engines.ts'
import type { Effect } from '../../../kernel/claim.ts'
import { callIn } from './call-in.ts'
import { demandGranted, untriedEffects } from './demand-granted.ts'
import type { ToolContext, ToolResult } from './types.ts'

type HostFunction<In extends z.ZodType> = (args: z.output<In>, ctx: ToolContext) => Promise<unknown>

/** A function of the host's own program, as it is called through our pipeline. */
export interface HostedTool<In extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly description?: string | undefined
  readonly version?: string | undefined
  readonly input: In
  /** Unless said it may do anything. */
  readonly effects?: readonly Effect[] | undefined
  readonly timeoutMs?: number | undefined
  readonly simulates?: boolean | undefined
  readonly call: HostFunction<In>
  /** Called in its place in a dry run. */
  readonly simulate?: HostFunction<In> | undefined
  /** The contract's answer with what the function itself said of its failure. */
  readonly envelope?: typeof sage.envelope
}

/**
 * Calls it as every other tool: validated, with secrets filled in, timed, redacted and journaled. What the function does
 * to the machine by itself is the host's own affair, for it is the host's own code.
 */
export function executeHosted<In extends z.ZodType, O>(
  hosted: HostedTool<In>,
  input: unknown,
  ctx: ToolContext,
): Promise<ToolResult<O>> {
  const { name, description = '', version = '0.0.0', effects = ['exec'], envelope = sage.envelope } = hosted
  let untried: readonly Effect[] | undefined
  const timeoutMs = ctx.quotas?.timeoutMs ?? hosted.timeoutMs
  const tool = defineTool({
    name,
    description,
    version,
    input: hosted.input,
    output: z.unknown(),
    effects,
    ...(timeoutMs !== undefined && { timeoutMs }),
    claims: () => [],
    async run(args, _engines, { note }) {
      demandGranted(hosted, ctx)
      untried = untriedEffects(hosted, ctx)
      if (untried) return undefined
      const called = (ctx.dryRun && hosted.simulate) || hosted.call
      const before = process.cpuUsage()
      try {
        return await called(args, ctx)
      } finally {
        const { user, system } = process.cpuUsage(before)
        if (!ctx.deterministic) note?.({ resources: { cpuMs: (user + system) / 1000 } })
      }
    },
    examples: [],
  })
  const told: typeof envelope = (call, outcome) => {
    const answer = Object(envelope(call, outcome))
    return untried && outcome.ok ? { ...answer, meta: { ...answer.meta, effects: untried } } : answer
  }
  return callIn<O>(ctx, { ...sage, tools: [tool], envelope: told }, { name, input })
}
