import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { ToolError } from '../../../kernel/error.ts'
import { validate } from '../../../kernel/validate.ts'
import { callOnce, loadTool } from '../call.ts'
import { hereIn, workspaceOf } from '../find-workspace.ts'
import type { Terminal } from '../terminal.ts'
import { CALL_OPTIONS, parse, UsageError } from '../usage.ts'
import { inOptions } from './in-options.ts'
import { parametersOf, type Parameter } from './parameters.ts'
import { parsedOptions, readInput, withDashedTexts, type Typed } from './read-input.ts'
import type { ToolCommand } from '../../../kernel/tool-command.ts'
import { usageLines } from './usage-line.ts'
import { callLine, commandLine, sameWorkspace } from '../command-line.ts'

/** Runs a tool as a command: builds its input from options and arguments, then makes an ordinary call. */
export async function runToolCommand(
  { name, command }: { readonly name: string; readonly command: ToolCommand },
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const contract = await loadTool('toolwright', command.tool)
  const tool = contract.tools.find(one => one.name === command.tool)
  if (!tool) throw new UsageError(`There is no tool '${command.tool}'`, name)
  const parameters = parametersOf(inputSchema(tool), command)
  const options = { ...parsedOptions(parameters), ...CALL_OPTIONS }
  const { values, positionals } = parse(name, withDashedTexts(args, parameters), options)
  const root = workspaceOf(terminal, values)
  const typedCommand = { name, command, parameters, values, words: positionals, isProgram: args.includes('--') }
  const here = hereIn(root, terminal.cwd)
  const typedInput = await readInput(typedCommand, here, terminal)
  const input =
    values['transaction'] === undefined ? { ...(await asItIs(command, typedInput, root)), ...typedInput } : typedInput
  const inWords = (text: string): string => inOptions(text, command, parameters)
  ensureSense(tool, input, { name, usage: usageLines(name, command, parameters).join(' or '), inWords })
  const again = (next: object): string => againLine(typedCommand, input, { ...next })
  const shownAs = { name, here, inOptions: inWords, paths: pathsIn(command, input) }
  return callOnce(
    { name: command.tool, contract, root, values, again, typed: shownAs, input: async () => input },
    terminal,
  )
}

/** Returns the values of the parameters that are paths. */
const pathsIn = ({ paths = [] }: ToolCommand, input: Fields): readonly string[] =>
  paths.map(key => input[key]).filter(path => typeof path === 'string')

/** Adds the hash of the file that a command replaces. Not in a transaction, whose staged file may differ. */
async function asItIs({ replaces }: ToolCommand, input: Fields, root: string): Promise<{ readonly expect?: string }> {
  if (replaces === undefined) return {}
  const path = join(root, String(input[replaces]))
  const { hashOf } = await import('../../../machine/workspace/disk.ts')
  try {
    return statSync(path).isFile() ? { expect: hashOf(readFileSync(path)) } : {}
  } catch {
    // The tool reports the problem.
    return {}
  }
}

type Fields = Readonly<Record<string, unknown>>

/** Validates before the workspace is opened: invalid input is a usage error and leaves no record. */
function ensureSense(tool: Parameters<typeof validate>[0], input: object, { name, usage, inWords }: Wording): void {
  try {
    validate(tool, input)
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    throw new UsageError(`${inWords(error.message)} (${usage})`, name)
  }
}

interface Wording {
  readonly name: string
  readonly usage: string
  readonly inWords: (text: string) => string
}

/** Returns the command as typed, with options for the differences between two inputs. */
function againLine(typed: Typed, input: Fields, next: Fields): string {
  const { name, command, parameters, values, words, isProgram } = typed
  const changedOptions: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(next)) {
    if (input[key] === value) continue
    const parameter = parameters.find(one => one.key === key && one.item === undefined)
    if (!parameter) return callLine(command.tool, next, sameWorkspace(values))
    changedOptions[parameter.option] = optionValue(parameter, value)
  }
  return commandLine(name, words, { ...values, ...changedOptions }, isProgram || undefined)
}

/** Formats a parameter's value for its option. */
function optionValue({ kind }: Parameter, value: unknown): unknown {
  if (kind === 'negation') return value === false
  if (kind === 'seconds') return Number(value) / 1000
  return kind === 'json' ? JSON.stringify(value) : value
}
