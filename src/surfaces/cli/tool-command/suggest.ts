import { allContracts } from '../../../contracts/load-contract.ts'
import type { Engines } from '../../../engines/engines.ts'
import type { AnyTool, Contract } from '../../../kernel/contract.ts'
import { inputSchema } from '../../../kernel/json-schema.ts'
import { callLine, type OptionValues } from '../command-line.ts'
import { usageOf } from '../help.ts'
import { nearMiss } from '../../../kernel/near-miss.ts'
import { UsageError } from '../usage.ts'
import { TOOL_COMMANDS } from './table.ts'

/** Words that people type for a command of ours, and what tools of other contracts are called. */
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
  queryindex: 'index',
  exec: 'run',
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
    : nearMiss(name, [...known, 'help', ...Object.keys(MEANT)])
  const meant = word === undefined ? undefined : Object.hasOwn(MEANT, word) ? MEANT[word] : word
  const usage = meant === undefined ? undefined : (await usageOf(meant))?.[0]
  const said = [
    `There is no command '${name}'`,
    ...(usage === undefined ? [] : [`Type: ${usage}`]),
    ...(other === undefined ? [] : [`The tool of that name: ${other}`]),
  ]
  return new UsageError(said.join('. '), meant === 'help' ? undefined : meant)
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

/** What stands for a value of each type, so that the line can be called as it is. */
const PLACEHOLDERS: Readonly<Record<string, unknown>> = { array: [], boolean: true, integer: 1, number: 1, object: {} }

function exampleOf(tool: AnyTool<Engines>, contract: string, place: OptionValues): string {
  const { required = [], properties } = Object(inputSchema(tool))
  const input = Object.fromEntries(
    required.map((key: string) => [key, PLACEHOLDERS[Object(properties)[key]?.type] ?? '…']),
  )
  return callLine(tool.name, input, { ...place, ...(contract !== 'toolwright' && { contract }) })
}
