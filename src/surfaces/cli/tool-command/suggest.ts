import { allContracts } from '../../../contracts/load-contract.ts'
import type { Engines } from '../../../engines/engines.ts'
import type { AnyTool, Contract } from '../../../kernel/contract.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { callLine, type OptionValues } from '../command-line.ts'
import { usageOf } from '../help.ts'
import { nearMiss } from '../../../kernel/near-miss.ts'
import { UsageError } from '../usage.ts'
import { TOOL_COMMANDS } from './table.ts'

/** Words that people type for a command of ours, or for one of its lines, and what tools of other contracts are called. */
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

/** A name that is no command: says the line that was probably meant, and how a tool of another contract is called. */
export async function unknownCommand(name: string, commands: readonly string[]): Promise<UsageError> {
  if (name.startsWith('-'))
    return new UsageError(`The command comes first, its options after it: toolwright COMMAND … ${name} …`)
  const known = [...commands, ...Object.entries(TOOL_COMMANDS).flatMap(([own, { aliases = [] }]) => [own, ...aliases])]
  const other = await toolOfOthers(name)
  const word = Object.hasOwn(MEANT, name.toLowerCase())
    ? name.toLowerCase()
    : (onlyBegunWith(name, known) ?? nearWord(name, [...known, 'help', ...Object.keys(MEANT)]))
  const meant = word === undefined ? undefined : Object.hasOwn(MEANT, word) ? MEANT[word] : word
  const usage = meant === undefined ? undefined : await lineOf(meant)
  const said = [
    `There is no command '${name}'`,
    ...(usage === undefined ? [] : [`Type: ${usage}`]),
    ...(other === undefined ? [] : [`The tool of that name: ${other}`]),
  ]
  const [command = ''] = meant?.split(' ') ?? []
  return new UsageError(said.join('. '), known.includes(command) ? command : undefined)
}

/** The word that this is the beginning of, where it is one of a single word. */
function onlyBegunWith(typed: string, known: readonly string[]): string | undefined {
  const [only, ...more] = known.filter(word => word.startsWith(typed.toLowerCase()))
  return typed.length > 1 && more.length === 0 ? only : undefined
}

/** Two letters are near to too much. */
const nearWord = (typed: string, known: readonly string[]): string | undefined =>
  typed.length > 2 ? nearMiss(typed, known) : undefined

/** The line to type for a command, or that one of its lines which begins like this. */
async function lineOf(meant: string): Promise<string | undefined> {
  const start = `toolwright ${meant}`
  if (meant.startsWith('-')) return start
  const lines = await usageOf(meant.split(' ')[0] ?? meant)
  return lines?.find(line => line.startsWith(start)) ?? lines?.[0]
}

/** The line that calls a tool which this contract has not: one of another contract, or one of nearly this name. */
export async function lineForTool(
  name: string,
  { id, tools }: Contract<Engines>,
  place: OptionValues,
): Promise<string | undefined> {
  const elsewhere = await toolOfOthers(name, place)
  if (elsewhere !== undefined) return elsewhere
  const meant = nearMiss(
    name,
    tools.map(tool => tool.name),
  )
  const tool = tools.find(one => one.name === meant)
  return tool && exampleOf(tool, id, place)
}

/** How to call a tool of this name, where a contract has one; first the one whose document is about a command line. */
async function toolOfOthers(name: string, place: OptionValues = {}): Promise<string | undefined> {
  const contracts = (await allContracts()).toSorted((one, other) => rank(one) - rank(other))
  for (const { id, tools } of contracts) {
    const tool = tools.find(one => one.name === name)
    if (tool) return exampleOf(tool, id, place)
  }
  return undefined
}

const rank = ({ id }: Contract<Engines>): number => (id === 'cli-agent' ? 0 : 1)

/** What stands for a value of each type. */
const PLACEHOLDERS: Readonly<Record<string, unknown>> = { array: [], boolean: true, integer: 1, number: 1, object: {} }

function exampleOf(tool: AnyTool<Engines>, contract: string, place: OptionValues): string {
  const { required = [], properties } = Object(inputSchema(tool))
  const input = Object.fromEntries(
    required.map((key: string) => [key, PLACEHOLDERS[Object(properties)[key]?.type] ?? '…']),
  )
  // Where that is no input of the tool, its first example is.
  const valid = tool.input.safeParse(input).success ? input : (tool.examples[0]?.input ?? input)
  return callLine(tool.name, valid, { ...place, ...(contract !== 'toolwright' && { contract }) })
}
