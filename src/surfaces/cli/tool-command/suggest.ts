import { allContracts } from '../../../contracts/load-contract.ts'
import type { Engines } from '../../../engines/engines.ts'
import type { AnyTool, Contract } from '../../../kernel/contract.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { callLine, type OptionValues } from '../command-line.ts'
import { usageOf } from '../help.ts'
import { nearMiss } from '../../../kernel/near-miss.ts'
import { UsageError } from '../usage.ts'
import { TOOL_COMMANDS } from './table.ts'

/** Maps words that people type, and tool names of other contracts, to commands of ours. */
const MEANT: Readonly<Record<string, string>> = {
  search: 'grep',
  rg: 'grep',
  grep_search: 'grep',
  search_code: 'grep',
  glob: 'find',
  file_search: 'find',
  list_files: 'find',
  listfiles: 'find',
  cat: 'read',
  show: 'read',
  open: 'read',
  read_file: 'read',
  readfile: 'read',
  tree: 'list',
  dir: 'list',
  list_dir: 'list',
  list_dirs: 'list',
  create: 'write',
  create_file: 'write',
  replace: 'edit',
  edit_file: 'edit',
  sed: 'edit',
  replace_string_in_file: 'edit',
  apply: 'patch',
  remove: 'delete',
  outline: 'symbols',
  usages: 'references',
  get_code_context: 'context',
  find_callers_of_function: 'callers',
  graphquery: 'graph',
  cypher: 'graph',
  queryindex: 'index query',
  exec: 'run',
  cp: 'run',
  mkdir: 'run',
  bash: 'run',
  shell: 'run',
  sh: 'run',
  run_in_terminal: 'run',
  curl: 'fetch',
  wget: 'fetch',
  fetch_webpage: 'fetch',
  todo: 'plan',
  todo_manager: 'plan',
  validate: 'check',
  validate_output: 'check',
  revert: 'undo',
  history: 'log',
  diff: 'log show',
  version: '--version',
  serve: 'mcp',
  transaction: 'stage',
  commit: 'stage',
  completions: 'completion',
}

/** For an unknown command, suggests the line probably meant, and how to call a tool of another contract. */
export async function unknownCommand(name: string, commands: readonly string[]): Promise<UsageError> {
  if (name.startsWith('-'))
    return new UsageError(`The command comes first, its options after it: toolwright COMMAND … ${name} …`)
  const knownNames = [
    ...commands,
    ...Object.entries(TOOL_COMMANDS).flatMap(([own, { aliases = [] }]) => [own, ...aliases]),
  ]
  const other = await toolOfOthers(name)
  const word = Object.hasOwn(MEANT, name.toLowerCase())
    ? name.toLowerCase()
    : (onlyBegunWith(name, knownNames) ?? nearWord(name, [...knownNames, 'help', ...Object.keys(MEANT)]))
  const suggestedCommand = word === undefined ? undefined : Object.hasOwn(MEANT, word) ? MEANT[word] : word
  const usage = suggestedCommand === undefined ? undefined : await lineOf(suggestedCommand)
  const sentences = [
    `There is no command '${name}'`,
    ...(usage === undefined ? [] : [`Type: ${usage}`]),
    ...(other === undefined ? [] : [`The tool of that name: ${other}`]),
  ]
  const [command = ''] = suggestedCommand?.split(' ') ?? []
  return new UsageError(sentences.join('. '), knownNames.includes(command) ? command : undefined)
}

/** Returns the only known word that begins like this. */
function onlyBegunWith(typed: string, known: readonly string[]): string | undefined {
  const [only, ...more] = known.filter(word => word.startsWith(typed.toLowerCase()))
  return typed.length > 1 && more.length === 0 ? only : undefined
}

/** Two letters resemble too many words. */
const nearWord = (typed: string, known: readonly string[]): string | undefined =>
  typed.length > 2 ? nearMiss(typed, known) : undefined

/** Returns the usage line of a command, or the one that begins like this. */
async function lineOf(meant: string): Promise<string | undefined> {
  const start = `toolwright ${meant}`
  if (meant.startsWith('-')) return start
  const lines = await usageOf(meant.split(' ')[0] ?? meant)
  return lines?.find(line => line.startsWith(start)) ?? lines?.[0]
}

/**
 * Returns the line that calls a tool missing from this contract: one of another contract, or one with a similar name.
 */
export async function lineForTool(
  name: string,
  { id, tools }: Contract<Engines>,
  place: OptionValues,
): Promise<string | undefined> {
  const elsewhere = await toolOfOthers(name, place)
  if (elsewhere !== undefined) return elsewhere
  const similarName = nearMiss(
    name,
    tools.map(tool => tool.name),
  )
  const tool = tools.find(one => one.name === similarName)
  return tool && exampleOf(tool, id, place)
}

/**
 * Returns how to call a tool of this name in another contract. Prefers the contract whose document describes a command
 * line.
 */
async function toolOfOthers(name: string, place: OptionValues = {}): Promise<string | undefined> {
  const contracts = (await allContracts()).toSorted((one, other) => rank(one) - rank(other))
  for (const { id, tools } of contracts) {
    const tool = tools.find(one => one.name === name)
    if (tool) return exampleOf(tool, id, place)
  }
  return undefined
}

const rank = ({ id }: Contract<Engines>): number => (id === 'cli-agent' ? 0 : 1)

/** Placeholder for each type. */
const PLACEHOLDERS: Readonly<Record<string, unknown>> = { array: [], boolean: true, integer: 1, number: 1, object: {} }

function exampleOf(tool: AnyTool<Engines>, contract: string, place: OptionValues): string {
  const { required = [], properties } = Object(inputSchema(tool))
  const input = Object.fromEntries(
    required.map((key: string) => [key, PLACEHOLDERS[Object(properties)[key]?.type] ?? '…']),
  )
  // If that is not valid input for the tool, use its first example.
  const valid = tool.input.safeParse(input).success ? input : (tool.examples[0]?.input ?? input)
  return callLine(tool.name, valid, { ...place, ...(contract !== 'toolwright' && { contract }) })
}
