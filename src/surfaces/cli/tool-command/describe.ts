import type { Engines } from '../../../engines/engines.ts'
import type { AnyTool } from '../../../kernel/contract.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { loadContract, loadForCall } from '../../../contracts/load-contract.ts'
import { EVERY_CALL } from './every-call.ts'
import { inOptions } from './in-options.ts'
import { parametersOf, type Parameter } from './parameters.ts'
import type { ToolCommand } from '../../../kernel/tool-command.ts'
import { furtherCommands, namedCommand } from './named-command.ts'
import { TOOL_COMMANDS } from './table.ts'
import { usageLines } from './usage-line.ts'
import { WIDTH, wrapText } from './wrapped.ts'

/** A command for a tool, with all data for help, completion and the reference. */
export interface Described {
  readonly name: string
  readonly command: ToolCommand
  readonly description: string
  readonly parameters: readonly Parameter[]
}

/** Returns the command of this name or short name, or undefined. */
export async function describeCommand(name: string): Promise<Described | undefined> {
  const toolCommand = await namedCommand(name)
  if (!toolCommand) return undefined
  const { tools } = await loadForCall('toolwright', toolCommand.command.tool)
  return withTool(toolCommand.name, toolCommand.command, tools)
}

/** Returns every command for a tool. */
export async function describeCommands(): Promise<readonly Described[]> {
  const { tools } = await loadContract('toolwright')
  const commands = [
    ...Object.entries(TOOL_COMMANDS).map(([name, command]) => ({ name, command })),
    ...furtherCommands(tools),
  ]
  return commands.flatMap(({ name, command }) => withTool(name, command, tools) ?? [])
}

function withTool(name: string, command: ToolCommand, tools: readonly AnyTool<Engines>[]): Described | undefined {
  const tool = tools.find(one => one.name === command.tool)
  if (!tool) return undefined
  const parameters = parametersOf(inputSchema(tool), command).filter(({ key }) => !command.refused?.includes(key))
  return { name, command, description: command.about ?? tool.description, parameters }
}

/** Returns the summary for the overview: the first statement of the description, without brackets. */
export function briefly({ description, command, parameters }: Described): string {
  const [first = description] = description.replaceAll(/ \([^)]*\)/g, '').split(/[.:;] |\.$/, 1)
  return inOptions(first, command, parameters)
}

/** Returns the help of a command: its purpose, its usage, and each argument and option. */
export function helpText({ name, command, description, parameters }: Described): string {
  const short = command.aliases ? [`Short: toolwright ${command.aliases.join(', toolwright ')}.`] : []
  const options = optionLines(command, parameters)
  return [
    ...wrapText(inOptions(description, command, parameters)),
    '',
    ...usageLines(name, command, parameters),
    '',
    ...options,
    ...(options.length > 0 ? [''] : []),
    ...short,
    EVERY_CALL,
  ].join('\n')
}

/** One line for each option, positional ones first. */
function optionLines(command: ToolCommand, parameters: readonly Parameter[]): readonly string[] {
  const { positionals } = command
  const words = positionals.flatMap(option => parameters.filter(one => one.option === option))
  const rows = [...words, ...parameters.filter(one => !words.includes(one))].map(parameter => {
    const { option, value } = parameter
    const optionText = value === undefined ? `--${option}` : `--${option} ${value}`
    const about = inOptions(aboutText(parameter), command, parameters)
    return [words.includes(parameter) ? `${value}, ${optionText}` : optionText, about] as const
  })
  const width = Math.max(0, ...rows.map(([option]) => option.length))
  return rows.flatMap(([option, about]) =>
    wrapText(about, WIDTH - width - 4).map((line, at) =>
      `  ${(at === 0 ? option : '').padEnd(width)}  ${line}`.trimEnd(),
    ),
  )
}

function aboutText({ about, choices, value, kind }: Parameter): string {
  const which = choices && value !== choices.join('|') ? choices.join(', ') : kind === 'list' ? 'may be repeated' : ''
  if (which === '') return about
  return about === '' ? which : `${about} (${which})`
}
