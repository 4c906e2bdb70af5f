import type { Parameter } from './parameters.ts'
import type { ToolCommand } from '../../../kernel/tool-command.ts'
import { LINE, PROGRAM } from './usage-line.ts'
import { formatOption } from './value-of.ts'

/** Replaces parameters in backquotes in a text on a tool by the command's arguments and options. */
export const inOptions = (
  text: string,
  { positionals, words }: ToolCommand,
  parameters: readonly Parameter[],
): string =>
  text.replaceAll(/`(\w+)(?:: "?([\w-]+)"?)?`/g, (written, key: string, given?: string) => {
    const parameter = parameters.find(one => one.key === key && one.kind !== 'file')
    if (key === words?.line) return LINE
    if (key === words?.list) return PROGRAM
    if (!parameter) return written
    const { option, value } = parameter
    if (given === undefined && value !== undefined && positionals.includes(option)) return value
    return given === undefined || value === undefined ? formatOption(parameter) : `${formatOption(parameter)} ${given}`
  })
