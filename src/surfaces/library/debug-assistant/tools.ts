import type { z } from 'zod'
import { debugAssistant } from '../../../contracts/debug-assistant/contract.ts'
import { findCallersOfFunction } from '../../../contracts/debug-assistant/find-callers-of-function.ts'
import { getCodeContext } from '../../../contracts/debug-assistant/get-code-context.ts'
import { readFile } from '../../../contracts/debug-assistant/read-file.ts'
import { vectorSearchDb } from '../../../contracts/debug-assistant/vector-search-db.ts'
import { webSearchWiki } from '../../../contracts/debug-assistant/web-search-wiki.ts'
import type { ToolResult } from '../../../contracts/debug-assistant/types.ts'
import type { Engines } from '../../../engines/engines.ts'
import type { Tool } from '../../../kernel/tool.ts'
import { withToolkit } from '../shared-toolkit.ts'
import { failure, type ToolDefinition } from './tool-base.ts'

/** Reads a file of the workspace, which is the process's directory. */
export const ReadFileTool = publishedTool(readFile)
/** Searches documentation for the solution of an error. */
export const WebSearchWikiTool = publishedTool(webSearchWiki)
/** Returns the code around an error. */
export const GetCodeContextTool = publishedTool(getCodeContext)
/** Finds the callers of a function. */
export const FindCallersOfFunctionTool = publishedTool(findCallersOfFunction)
/** Searches past root-cause analyses. */
export const VectorSearchDbTool = publishedTool(vectorSearchDb)

/** Publishes a tool of the contract in the document's form. Its `execute` runs the whole pipeline. */
function publishedTool<In extends z.core.$ZodType, Out extends z.core.$ZodType>({
  name,
  description,
  input,
}: Tool<In, Out, Engines>): ToolDefinition<In, Out> {
  return {
    name,
    description,
    parameters: input,
    async execute(rawParams) {
      try {
        return await withToolkit(process.cwd(), async (kit, shared) => {
          const answer = await kit.session({ contract: debugAssistant, shared }).call(name, rawParams)
          return answer as ToolResult<z.output<Out>>
        })
      } catch (cause) {
        // The workspace cannot be opened.
        return failure('INTERNAL_ERROR', cause)
      }
    },
  }
}
