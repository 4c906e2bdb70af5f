import { reasonOf } from '../../../kernel/reason-of.ts'
import { resultOf } from './tools.ts'
import type { AgentTool, AgentToolResult } from './types.ts'

/** Runs a tool by its name and returns the document's ToolResult. Never throws, not even for an unknown tool. */
export async function executeTool(tools: readonly AgentTool[], name: string, input: unknown): Promise<AgentToolResult> {
  try {
    // Programs without types can pass anything.
    const list = Array.isArray(tools) ? tools.filter(one => typeof one === 'object' && one !== null) : []
    const tool = list.find(one => one.name === name)
    if (!tool) {
      const known = list.length > 0 ? list.map(one => one.name).join(', ') : 'none'
      return { name, input, error: `There is no tool '${String(name)}'; known: ${known}` }
    }
    if (typeof tool.execute !== 'function') return { name, input, error: `Tool '${name}' has no execute()` }
    const whole = resultOf(tool)
    if (whole) return await whole(input)
    const output = await tool.execute(input)
    const { error } = Object(output)
    return { name, input, output, ...(typeof error === 'string' && { error }) }
  } catch (cause) {
    return { name, input, error: reasonOf(cause) }
  }
}
