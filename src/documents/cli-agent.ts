/** `toolwright/cli-agent`: the names that the document "Tool API Contracts" prints. */
export { cliAgent } from '../contracts/cli-agent/contract.ts'
export type { CliAgentTools } from '../contracts/load-contract.ts'
export type { ToolError, ToolResult } from '../contracts/cli-agent/types.ts'
export { riskOf, type Risk as RiskLevel } from '../kernel/tool.ts'
export { tools, type Approval, type Tool } from '../surfaces/library/cli-agent/tools.ts'
