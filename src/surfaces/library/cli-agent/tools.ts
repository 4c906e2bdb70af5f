import { cliAgent, type CliAgentTool } from '../../../contracts/cli-agent/contract.ts'
import type { ToolError, ToolResult } from '../../../contracts/cli-agent/types.ts'
import type { SessionOptions } from '../../../config/session-options.ts'
import type { JsonSchema } from '../../../kernel/json-schema.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { riskOf, type Risk } from '../../../kernel/tool.ts'
import type { SessionHandle } from '../../../toolkit.ts'
import { failedOpening } from '../failed-opening.ts'
import { withToolkit } from '../shared-toolkit.ts'

/** Who is asked, and what is granted in advance. Without either, a tool that needs approval is refused. */
export type Approval = Pick<SessionOptions, 'approve' | 'permissions'>

/** The document's "Universal Tool Interface", with the names that TypeScript gives its methods. */
export interface Tool {
  name(): string
  description(): string
  parametersSchema(): JsonSchema
  /** Returns what is wrong with the parameters, undefined if nothing is. Changes, runs and fetches nothing. */
  validate(params: unknown, workingDir: string): Promise<ToolError | undefined>
  /** Runs the tool through policy, approval, budget and journal. Never throws. */
  execute(params: unknown, workingDir: string, approval?: Approval): Promise<ToolResult>
  requiresApproval(): boolean
  riskLevel(): Risk
}

/** Every tool of the document, in its order. */
export const tools: readonly Tool[] = cliAgent.tools.map(documentTool)

function documentTool(tool: CliAgentTool): Tool {
  const { name, description, effects } = tool
  const risk = riskOf(effects)
  const inDirectory = async (
    workingDir: string,
    input: unknown,
    work: (session: SessionHandle) => Promise<ToolResult>,
    approval: Approval = {},
  ): Promise<ToolResult> => {
    try {
      return await withToolkit(workingDir, (kit, shared) =>
        work(kit.session({ contract: cliAgent, shared, continues: true, ...approval })),
      )
    } catch (cause) {
      return failedOpening(cliAgent, { name, input }, cause) as ToolResult
    }
  }
  return {
    name: () => name,
    description: () => description,
    parametersSchema: () => inputSchema(tool),
    async validate(params, workingDir) {
      const { error } = await inDirectory(workingDir, params, async session => {
        // A dry run knows what is there; that of a command or a page would run or fetch it.
        if (!effects.some(effect => effect === 'exec' || effect === 'net'))
          return (await session.call(name, params, { dryRun: true })) as ToolResult
        const { error: cause } = session.check(name, params)
        return cause ? (failedOpening(cliAgent, { name, input: params }, cause) as ToolResult) : VALID
      })
      return error
    },
    execute: (params, workingDir, approval) =>
      inDirectory(workingDir, params, async session => (await session.call(name, params)) as ToolResult, approval),
    requiresApproval: () => risk !== 'read_only',
    riskLevel: () => risk,
  }
}

const VALID: ToolResult = { success: true, output: '', files_affected: [], execution_time_ms: 0 }
