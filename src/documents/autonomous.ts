/** `toolwright/autonomous`: the names that the document "Agents Tools - Contratos" prints. */
import type { AutonomousTools } from '../contracts/load-contract.ts'
import type { DataOf } from '../kernel/tool-types.ts'

export { autonomous } from '../contracts/autonomous/contract.ts'
export type { AutonomousTools } from '../contracts/load-contract.ts'
export { executeTool } from '../surfaces/library/autonomous/execute-tool.ts'
export {
  createListDirsTool,
  createListFilesTool,
  createReadFileTool,
  createSearchCodeTool,
  createTodoManagerTool,
  createValidateOutputTool,
} from '../surfaces/library/autonomous/tools.ts'
export type { ToolResult } from '../contracts/autonomous/types.ts'
export type { AgentContext, AgentTool as ToolDefinition } from '../surfaces/library/autonomous/types.ts'
export type { Connection as GithubConnection } from '../knowledge/github/types.ts'
export type { OutputType, OutputTypes } from '../machine/validation/check-output.ts'

/** A directory that `list_dirs` found. */
export type DirEntry = DataOf<AutonomousTools, 'list_dirs'>['dirs'][number]
/** A file that `list_files` found. */
export type FileEntry = DataOf<AutonomousTools, 'list_files'>['files'][number]
/** Result of `read_file`. */
export type ReadFileOutput = DataOf<AutonomousTools, 'read_file'>
/** A line that `search_code` found. */
export type SearchMatch = DataOf<AutonomousTools, 'search_code'>[number]
/** Result of `todo_manager`. */
export type Plan = DataOf<AutonomousTools, 'todo_manager'>
/** One item of a plan. */
export type PlanItem = Plan['items'][number]
/** Result of `validate_output`. */
export type ValidationResult = DataOf<AutonomousTools, 'validate_output'>
