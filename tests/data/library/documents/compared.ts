// Each printed type against the one of its entry.
import type { DataOf, InputOf } from 'toolwright'
import * as autonomous from 'toolwright/autonomous'
import type * as debug from 'toolwright/debug-assistant'
import * as sage from 'toolwright/sage'
import type * as superconnect from 'toolwright/superconnect'
import type { z } from 'zod'
import type * as printedAutonomous from './autonomous-printed.js'
import type * as printedDebug from './debug-assistant-printed.js'
import type { printed as printedSage } from './sage-printed.js'
import type * as printedSuperconnect from './superconnect-printed.js'

/** Whether the first is assignable to the second. */
type Fits<One, Other> = [One] extends [Other] ? true : false
/** Whether each is assignable to the other. */
type Same<One, Other> = Fits<One, Other> extends true ? Fits<Other, One> : false
/** Compiles where all hold; the compiler names the position of the first that does not. */
type Holds<All extends readonly true[]> = All

export type Sage = Holds<[
  Same<sage.Tool<1, 2>, printedSage.Tool<1, 2>>,
  Same<sage.ToolContext, printedSage.ToolContext>,
  Same<sage.ToolResult<1>, printedSage.ToolResult<1>>,
  Same<sage.ToolRegistry, printedSage.ToolRegistry>,
  Same<sage.ReadToolInput, printedSage.ReadToolInput>,
  Same<sage.ReadToolOutput, printedSage.ReadToolOutput>,
  Same<sage.WriteToolInput, printedSage.WriteToolInput>,
  Same<sage.WriteToolOutput, printedSage.WriteToolOutput>,
  Same<sage.EditToolInput, printedSage.EditToolInput>,
  Same<sage.EditToolOutput, printedSage.EditToolOutput>,
  Same<sage.BashToolInput, printedSage.BashToolInput>,
  Same<sage.BashToolOutput, printedSage.BashToolOutput>,
  Same<sage.GraphQueryToolInput, printedSage.GraphQueryToolInput>,
  Same<sage.GraphQueryToolOutput, printedSage.GraphQueryToolOutput>,
  Same<sage.SecretProvider, printedSage.SecretProvider>,
  Same<sage.ToolDefinition, printedSage.ToolDefinition>,
  Same<typeof sage.createReadTool, typeof printedSage.createReadTool>,
  Same<typeof sage.createWriteTool, typeof printedSage.createWriteTool>,
  Same<typeof sage.createEditTool, typeof printedSage.createEditTool>,
  Same<typeof sage.createBashTool, typeof printedSage.createBashTool>,
  Same<typeof sage.GraphQuery, typeof printedSage.GraphQuery>,
  Same<typeof sage.defineTool, typeof printedSage.defineTool>,
]>

type Debug = debug.DebugAssistantTools
/** The data of a printed answer. */
type Data<Answer extends { data?: unknown }> = NonNullable<Answer['data']>
export type DebugAssistant = Holds<[
  Same<InputOf<Debug, 'read_file'>, z.input<typeof printedDebug.read_file>>,
  Same<InputOf<Debug, 'get_code_context'>, z.input<typeof printedDebug.get_code_context>>,
  Same<InputOf<Debug, 'find_callers_of_function'>, z.input<typeof printedDebug.find_callers_of_function>>,
  Same<DataOf<Debug, 'read_file'>, Data<printedDebug.ReadFile>>,
  Same<DataOf<Debug, 'get_code_context'>, Data<printedDebug.GetCodeContext>>,
  Same<DataOf<Debug, 'find_callers_of_function'>, Data<printedDebug.FindCallersOfFunction>>,
  // The codes of every tool come besides those of its own section.
  Fits<printedDebug.ReadFile, debug.ToolResult<Data<printedDebug.ReadFile>>>,
  Fits<printedDebug.GetCodeContext, debug.ToolResult<Data<printedDebug.GetCodeContext>>>,
  Fits<printedDebug.FindCallersOfFunction, debug.ToolResult<Data<printedDebug.FindCallersOfFunction>>>,
]>

export type Superconnect = Holds<[
  Same<superconnect.QueryIndexParameters, printedSuperconnect.QueryIndexParameters>,
  // What the index knows of a file is always given.
  Fits<superconnect.QueryIndexResult, printedSuperconnect.QueryIndexResult>,
  Same<superconnect.ReadFileParameters, printedSuperconnect.ReadFileParameters>,
  Same<superconnect.ReadFileResult, printedSuperconnect.ReadFileResult>,
  Same<superconnect.ListFilesParameters, printedSuperconnect.ListFilesParameters>,
  Same<superconnect.ListFilesResult, printedSuperconnect.ListFilesResult>,
  Same<superconnect.ErrorResponse, printedSuperconnect.ErrorResponse>,
  Same<superconnect.RepoIndex, printedSuperconnect.RepoIndex>,
]>

type Autonomous = autonomous.AutonomousTools
export type AgentsTools = Holds<[
  Same<autonomous.ToolDefinition, printedAutonomous.ToolDefinition>,
  Same<autonomous.ToolResult, printedAutonomous.ToolResult>,
  Same<autonomous.ValidationResult, printedAutonomous.ValidationResult>,
  // An item has its activeForm besides.
  Fits<autonomous.PlanItem, printedAutonomous.PlanItem>,
  Same<InputOf<Autonomous, 'list_dirs'>, { path?: string; depth?: number; limit?: number }>,
  Same<InputOf<Autonomous, 'list_files'>, { path?: string; pattern?: string; limit?: number }>,
  Same<InputOf<Autonomous, 'read_file'>, { path: string }>,
  Same<InputOf<Autonomous, 'search_code'>, { query: string; filePattern?: string; limit?: number }>,
  Same<InputOf<Autonomous, 'validate_output'>, { outputType: string; data: unknown }>,
  // Whether the list was cut is always given.
  Fits<DataOf<Autonomous, 'list_dirs'>, { dirs: autonomous.DirEntry[]; truncated?: boolean }>,
  Fits<DataOf<Autonomous, 'list_files'>, { files: autonomous.FileEntry[]; truncated?: boolean }>,
  Same<DataOf<Autonomous, 'search_code'>, autonomous.SearchMatch[]>,
]>

export const list = (ctx: autonomous.AgentContext, productId: string): autonomous.ToolDefinition =>
  autonomous.createListFilesTool(ctx, productId)
export const read: autonomous.ReadFileOutput = { path: 'src/components/button.tsx', content: '', size: 2048 }
export const registry: printedSage.ToolRegistry = new sage.ToolRegistry()
