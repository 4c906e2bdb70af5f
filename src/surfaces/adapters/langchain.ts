import type { JsonSchema } from '../../kernel/json-schema.ts'
import type { Toolkit } from '../../toolkit.ts'
import { callTool, sessionTools, type AdapterOptions } from './session-tools.ts'

/** What LangChain passes to a tool besides its input. */
interface RunnableConfig {
  readonly signal?: AbortSignal
}

type MakeTool<Tool> = (
  run: (input: unknown, config?: RunnableConfig) => Promise<string>,
  fields: { name: string; description: string; schema: JsonSchema },
) => Tool

/** Returns the tools for LangChain and LangGraph, each made by `tool` of `@langchain/core/tools`. */
export async function langchainTools<Tool>(
  kit: Toolkit,
  makeTool: MakeTool<Tool>,
  options: AdapterOptions = {},
): Promise<Tool[]> {
  const toolbox = await sessionTools(kit, options)
  return toolbox.tools.map(({ name, description, inputSchema: schema }) =>
    makeTool(
      // A failure is a text too: a loop of one's own would end with what is thrown.
      async (input, config) => (await callTool(toolbox, name, input, config?.signal)).text,
      { name, description, schema },
    ),
  )
}
