import type { Engines } from '../../../engines/engines.ts'
import type { AnyTool } from '../../../kernel/contract.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { loadContract, loadForCall } from '../../../contracts/load-contract.ts'
import { EVERY_CALL } from './every-call.ts'
import { inOptions } from './in-options.ts'
import { parametersOf, type Parameter } from './parameters.ts'
import { TOOL_COMMANDS, toolCommandOf, type ToolCommand } from './table.ts'
import { usageLines } from './usage-line.ts'
import { WIDTH, wrapped } from './wrapped.ts'

/** A command that is a tool, with everything that help, completion and the reference say of it. */
export interface Described {
  readonly name: string
  readonly command: ToolCommand
  readonly description: string
  readonly parameters: readonly Parameter[]
}

/** The command of this name or short name; undefined if there is none. */
export async function describeCommand(name: string): Promise<Described | undefined> {
  const found = toolCommandOf(name)
  if (!found) return undefined
  const { tools } = await loadForCall('toolwright', found.command.tool)
  return withTool(found.name, found.command, tools)
}

/** Every command that is a tool. */
export async function describeCommands(): Promise<readonly Described[]> {
  const { tools } = await loadContract('toolwright')
  return Object.entries(TOOL_COMMANDS).flatMap(([name, command]) => withTool(name, command, tools) ?? [])
}

function withTool(name: string, command: ToolCommand, tools: readonly AnyTool<Engines>[]): Described | undefined {
  const tool = tools.find(one => one.name === command.tool)
  if (!tool) return undefined
  const parameters = parametersOf(inputSchema(tool), command).filter(({ key }) => !command.refused?.includes(key))
  return { name, command, description: command.about ?? tool.description, parameters }
}

/** What the overview says of a command: the first thing that its description says, without what it adds in brackets. */
export function briefly({ description, command, parameters }: Described): string {
  const [first = description] = description.replaceAll(/ \([^)]*\)/g, '').split(/[.:;] |\.$/, 1)
  return inOptions(first, command, parameters)
}

/** The help of a command: what it does, the line to type, and each argument and option. */
export function helpText({ name, command, description, parameters }: Described): string {
  const short = command.aliases ? [`Short: toolwright ${command.aliases.join(', toolwright ')}.`] : []
  const options = optionLines(command, parameters)
  return [
    ...wrapped(inOptions(description, command, parameters)),
    '',
    ...usageLines(name, command, parameters),
    '',
    ...options,
    ...(options.length > 0 ? [''] : []),
    ...short,
    EVERY_CALL,
  ].join('\n')
}

/** One for each option, those that have a place first. */
function optionLines(command: ToolCommand, parameters: readonly Parameter[]): readonly string[] {
  const { positionals } = command
  const words = positionals.flatMap(option => parameters.filter(one => one.option === option))
  const rows = [...words, ...parameters.filter(one => !words.includes(one))].map(parameter => {
    const { option, value } = parameter
    const typed = value === undefined ? `--${option}` : `--${option} ${value}`
    const about = inOptions(aboutText(parameter), command, parameters)
    return [words.includes(parameter) ? `${value}, ${typed}` : typed, about] as const
  })
  const width = Math.max(0, ...rows.map(([option]) => option.length))
  return rows.flatMap(([option, about]) =>
    wrapped(about, WIDTH - width - 4).map((line, at) =>
      `  ${(at === 0 ? option : '').padEnd(width)}  ${line}`.trimEnd(),
    ),
  )
}

function aboutText({ about, choices, value, kind }: Parameter): string {
  const which = choices && value !== choices.join('|') ? choices.join(', ') : kind === 'list' ? 'may be repeated' : ''
  if (which === '') return about
  return about === '' ? which : `${about} (${which})`
}
