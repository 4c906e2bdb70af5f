/** `toolwright/sage`: the names that the document "Tools Contract" prints. */
export { sage } from '../contracts/sage/contract.ts'
export type { SageTools } from '../contracts/load-contract.ts'
export { createBashTool } from '../surfaces/library/sage/bash-tool.ts'
export { defineTool } from '../surfaces/library/sage/define-tool.ts'
export { ToolRegistry } from '../surfaces/library/sage/registry.ts'
export { createEditTool, createReadTool, createWriteTool, GraphQuery } from '../surfaces/library/sage/tools.ts'
export type * from '../surfaces/library/sage/types.ts'
export type { SecretProvider } from '../kernel/secret.ts'
