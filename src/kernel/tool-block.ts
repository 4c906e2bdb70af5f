import type { JsonSchema } from './json-schema.ts'

/** A tool as a prompt describes it. */
interface DescribedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
}

/** Returns the block of a system prompt that describes tools to a model without calls of its own. */
export function toolBlock(tools: readonly DescribedTool[]): string {
  const entries = tools.map(({ name, description, inputSchema }) => [
    name,
    { description, parameters: parametersOf(inputSchema) },
  ])
  return `AVAILABLE TOOLS:
${JSON.stringify(Object.fromEntries(entries), null, 2)}

USAGE FORMAT:
{
  "tool": "tool_name",
  "parameters": { ... }
}
`
}

/** Formats a parameter as `number (optional) - Starting line`. */
function parametersOf({ properties, required = [] }: JsonSchema): Record<string, string> {
  const lines = Object.entries(Object(properties)).map(([name, schema]) => {
    const { type, description } = Object(schema)
    const isRequired = Array.isArray(required) && required.includes(name)
    // Integers are called numbers.
    const kind = type === 'integer' ? 'number' : (type ?? 'any')
    const about = description === undefined ? '' : ` - ${description}`
    return [name, `${kind} (${isRequired ? 'required' : 'optional'})${about}`]
  })
  return Object.fromEntries(lines)
}
