/** The published contracts, and what their documents let a program import by name. */
export { autonomous } from './contracts/autonomous/contract.ts'
export { cliAgent } from './contracts/cli-agent/contract.ts'
export { debugAssistant } from './contracts/debug-assistant/contract.ts'
export { sage } from './contracts/sage/contract.ts'
export { superconnect } from './contracts/superconnect/contract.ts'
export { toolwright } from './contracts/toolwright/contract.ts'
export { defineTool } from './surfaces/library/sage/define-tool.ts'
export { inTransaction } from './surfaces/library/sage/in-transaction.ts'
export { ToolRegistry } from './surfaces/library/sage/registry.ts'
export { createBashTool } from './surfaces/library/sage/bash-tool.ts'
export { createEditTool, createReadTool, createWriteTool, GraphQuery } from './surfaces/library/sage/tools.ts'
export { ToolFailure } from './surfaces/library/sage/tool-failure.ts'
export type * from './surfaces/library/sage/types.ts'
export { executeTool } from './surfaces/library/autonomous/execute-tool.ts'
export {
  createListDirsTool,
  createListFilesTool,
  createReadFileTool,
  createSearchCodeTool,
  createTodoManagerTool,
  createValidateOutputTool,
} from './surfaces/library/autonomous/tools.ts'
export type * from './surfaces/library/autonomous/types.ts'
export type { OutputType, OutputTypes } from './machine/validation/check-output.ts'
export type { Connection as GithubConnection } from './knowledge/github/types.ts'
export type { GraphAdapter, GraphAsked, JournalAdapter } from './kernel/adapters.ts'
export type { SecretProvider } from './kernel/secret.ts'
