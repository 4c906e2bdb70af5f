import { callLine, commandLine, sameWorkspace } from '../command-line.ts'
import type { Parameter } from './parameters.ts'
import type { Typed } from './read-input.ts'

/** The command as it was typed, with the options of what differs between two inputs. */
export function againLine(typed: Typed, input: Fields, next: Fields): string {
  const { name, command, parameters, values, words, isProgram } = typed
  const changed: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(next)) {
    if (input[key] === value) continue
    const parameter = parameters.find(one => one.key === key && one.item === undefined)
    if (!parameter) return callLine(command.tool, next, sameWorkspace(values))
    changed[parameter.option] = optionValue(parameter, value)
  }
  return commandLine(name, words, { ...values, ...changed }, isProgram || undefined)
}

type Fields = Readonly<Record<string, unknown>>

/** The value of a parameter as its option takes it. */
function optionValue({ kind }: Parameter, value: unknown): unknown {
  if (kind === 'negation') return value === false
  if (kind === 'seconds') return Number(value) / 1000
  return kind === 'json' ? JSON.stringify(value) : value
}
