import type { Toolkit } from '../../toolkit.ts'
import { callTool, sessionTools, type AdapterOptions } from './session-tools.ts'

interface AnthropicTool {
  readonly name: string
  readonly description: string
  readonly input_schema: { type: 'object'; [key: string]: unknown }
}

interface ToolResult {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error: boolean
}

interface AnthropicTools {
  readonly tools: AnthropicTool[]
  /** Makes every call of a message, side by side, and returns the content of the user's next message. */
  run(content: readonly { readonly type: string }[], signal?: AbortSignal): Promise<ToolResult[]>
}

/** Returns the tools for `messages.create({ tools })` of Anthropic, and what makes the calls of a message. */
export async function anthropicTools(kit: Toolkit, options: AdapterOptions = {}): Promise<AnthropicTools> {
  const toolbox = await sessionTools(kit, options)
  return {
    tools: toolbox.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: { ...inputSchema, type: 'object' },
    })),
    run: (content, signal) =>
      Promise.all(
        content.filter(isCall).map(async ({ id, name, input }): Promise<ToolResult> => {
          const { text, ok } = await callTool(toolbox, name, input, signal)
          return { type: 'tool_result', tool_use_id: id, content: text, is_error: !ok }
        }),
      ),
  }
}

interface ToolUse {
  readonly type: 'tool_use'
  readonly id: string
  readonly name: string
  readonly input: unknown
}

const isCall = (block: { readonly type: string }): block is ToolUse => block.type === 'tool_use'
