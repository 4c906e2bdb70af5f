import type { AnyTool } from '../../kernel/contract.ts'
import { inputSchema } from '../../kernel/json-schema.ts'
import { toolBlock } from '../../kernel/tool-block.ts'

/** The document's system prompt block, generated from the tools so that it cannot drift. */
export const systemPrompt = (tools: readonly AnyTool<never>[]): string =>
  toolBlock(tools.map(tool => ({ name: tool.name, description: tool.description, inputSchema: inputSchema(tool) })))
