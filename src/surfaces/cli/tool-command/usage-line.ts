import type { Parameter } from './parameters.ts'
import type { ToolCommand } from '../../../kernel/tool-command.ts'

/** Placeholders of a command: a program with its arguments, or one line. */
export const PROGRAM = 'PROGRAM'
export const LINE = 'LINE FOR THE SHELL'

/** Returns the usage lines, such as `toolwright read PATH [options]`. */
export function usageLines(name: string, command: ToolCommand, parameters: readonly Parameter[]): readonly string[] {
  const start = `toolwright ${name}`
  if (command.words) return [`${start} [options] -- ${PROGRAM} [ARGUMENT …]`, `${start} [options] '${LINE}'`]
  const words = command.positionals.flatMap(option => {
    const parameter = parameters.find(one => one.option === option)
    // The line of FILE:LINE has no position of its own.
    if (!parameter || parameter.key === command.place?.line) return []
    const word = parameter.value ?? ''
    return parameter.required ? [word] : [`[${word}]`]
  })
  return [[start, ...words, '[options]'].join(' ')]
}
