/** `toolwright/debug-assistant`: the names that the document "API Contracts - Tool Input/Output Schemas" prints. */
export { debugAssistant } from '../contracts/debug-assistant/contract.ts'
export type { DebugAssistantTools } from '../contracts/load-contract.ts'
export type { ToolResult } from '../contracts/debug-assistant/types.ts'
export {
  FindCallersOfFunctionTool,
  GetCodeContextTool,
  ReadFileTool,
  VectorSearchDbTool,
  WebSearchWikiTool,
} from '../surfaces/library/debug-assistant/tools.ts'
export { ToolBase, type ToolDefinition } from '../surfaces/library/debug-assistant/tool-base.ts'
