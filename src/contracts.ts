/** The published contracts, and what their documents let a program import by name. */
export { cliAgent } from './contracts/cli-agent/contract.ts'
export { sage } from './contracts/sage/contract.ts'
export { toolwright } from './contracts/toolwright/contract.ts'
export { defineTool } from './surfaces/library/sage/define-tool.ts'
export { ToolRegistry } from './surfaces/library/sage/registry.ts'
export { createEditTool, createReadTool, createWriteTool } from './surfaces/library/sage/tools.ts'
export type * from './surfaces/library/sage/types.ts'
export type { SecretProvider } from './kernel/secret.ts'
