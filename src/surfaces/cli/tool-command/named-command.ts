import { loadForCall } from '../../../contracts/load-contract.ts'
import type { Engines } from '../../../engines/engines.ts'
import type { AnyTool } from '../../../kernel/contract.ts'
import { inputSchema, type JsonSchema } from '../../../kernel/json-schema.ts'
import type { CommandForm, ToolCommand } from '../../../kernel/tool-command.ts'
import { kebabCase } from './parameters.ts'
import { OWN_OUTPUT, TOOL_COMMANDS, toolCommandOf } from './table.ts'

/** A command by its name. */
interface NamedCommand {
  readonly name: string
  readonly command: ToolCommand
}

/** Returns the command of this name or short name; a tool that the table does not know is one, too. */
export async function namedCommand(name: string): Promise<NamedCommand | undefined> {
  const known = toolCommandOf(name)
  if (known) return known
  const { tools } = await loadForCall('toolwright', name)
  return tools.flatMap(tool => (tool.name === name ? (commandOf(tool) ?? []) : []))[0]
}

/** Returns the commands of the tools that the table does not know. */
export const furtherCommands = (tools: readonly AnyTool<Engines>[]): readonly NamedCommand[] =>
  tools.flatMap(tool => commandOf(tool) ?? [])

/** Returns the command of a tool, as the tool says, else as its schema does; undefined if the table or a program has it. */
function commandOf(tool: AnyTool<Engines>): NamedCommand | undefined {
  const { name, command } = tool
  if (OWN_OUTPUT.includes(name) || Object.values(TOOL_COMMANDS).some(each => each.tool === name)) return undefined
  return { name, command: { tool: name, ...(command ?? formOf(inputSchema(tool))) } }
}

/** Required texts and numbers are typed in their order; `path` is a path. */
function formOf({ properties, required = [] }: JsonSchema): CommandForm {
  const fields = Object.entries(Object(properties))
  const isWord = ([name, field]: readonly [string, unknown]): boolean =>
    Array.isArray(required) && required.includes(name) && /^(string|integer|number)$/.test(Object(field).type)
  return {
    positionals: fields.filter(isWord).map(([name]) => kebabCase(name)),
    ...('path' in Object(properties) && { paths: ['path'] }),
  }
}
