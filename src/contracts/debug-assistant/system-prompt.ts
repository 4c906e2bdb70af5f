import type { AnyTool } from '../../kernel/contract.ts'
import { inputSchema } from '../../kernel/json-schema.ts'

/** The document's system prompt block, generated from the tools so that it cannot drift. */
export function systemPrompt(tools: readonly AnyTool<never>[]): string {
  const entries = tools.map(tool => [tool.name, { description: tool.description, parameters: parametersOf(tool) }])
  return `AVAILABLE TOOLS:
${JSON.stringify(Object.fromEntries(entries), null, 2)}

USAGE FORMAT:
{
  "tool": "tool_name",
  "parameters": { ... }
}
`
}

/** Formats a parameter as in the document: `number (optional) - Starting line`. */
function parametersOf(tool: AnyTool<never>): Record<string, string> {
  const { properties, required = [] } = inputSchema(tool)
  const lines = Object.entries(Object(properties)).map(([name, schema]) => {
    const { type, description } = Object(schema)
    const isRequired = Array.isArray(required) && required.includes(name)
    // The document calls integers numbers.
    const kind = type === 'integer' ? 'number' : type
    return [name, `${kind} (${isRequired ? 'required' : 'optional'}) - ${description}`]
  })
  return Object.fromEntries(lines)
}
