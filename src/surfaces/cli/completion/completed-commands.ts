import { CONTRACT_IDS, loadContract } from '../../../contracts/load-contract.ts'
import { COMMANDS } from '../help.ts'
import { briefly, describeCommands, type Described } from '../tool-command/describe.ts'
import { CALL_OPTION_NAMES, VALUED } from '../tool-command/every-call.ts'
import { OWN_OUTPUT } from '../tool-command/table.ts'
import { COMMON } from '../usage.ts'

/** One option for shell completion. */
export interface CompletedOption {
  /** With its dashes. */
  readonly name: string
  readonly about: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** A command for shell completion. */
export interface CompletedCommand {
  readonly name: string
  readonly about: string
  readonly options: readonly CompletedOption[]
  /** Possible first words; files if there are none. */
  readonly words: readonly string[]
}

/** Lists every command with its short names, from the tables that help and parsing use. */
export async function completedCommands(): Promise<readonly CompletedCommand[]> {
  const tools = await describeCommands()
  const names = [...Object.keys(COMMANDS), ...tools.map(({ name }) => name)].toSorted()
  const { tools: contractTools } = await loadContract('toolwright')
  const toolNames = contractTools.map(({ name }) => name).toSorted()
  const first = new Map([...['call', 'tools'].map(name => [name, toolNames] as const), ['help', names]])
  const helpCommands = Object.keys(COMMANDS).map(name => ofHelp(name, first.get(name)))
  const all = [...helpCommands, ...tools.flatMap(ofTool)]
  return all.toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function ofTool(described: Described): readonly CompletedCommand[] {
  const { name, command, parameters } = described
  const options = parameters.map(({ option, about, value, choices = [] }) => ({
    name: `--${option}`,
    about,
    takesValue: value !== undefined,
    choices,
  }))
  const first = parameters.find(({ option }) => option === command.positionals[0])
  const calling = CALL_OPTION_NAMES.map(option => bare(option, VALUED.has(option)))
  const completion = { about: briefly(described), options: [...options, ...calling], words: first?.choices ?? [] }
  return [name, ...(command.aliases ?? [])].map(own => ({ ...completion, name: own }))
}

const bare = (name: string, takesValue: boolean, choices: readonly string[] = []): CompletedOption => ({
  name,
  about: '',
  takesValue,
  choices,
})

/**
 * Reads a command with handwritten help. Options come from its usage and help rows, with values written as `one|other`.
 * First words come from its usage unless given.
 */
function ofHelp(name: string, words: readonly string[] | undefined): CompletedCommand {
  const { about, usage, more = '' } = COMMANDS[name] ?? { about: '', usage: '' }
  const rows = more.split('\n').filter(line => line.startsWith('  '))
  const optionMatches = [usage, ...rows].join('\n').matchAll(/(?<![\w-])(--[a-z][a-z-]+)(?: ([A-Za-z\d][\w|,]*))?/g)
  const options = new Map(
    [...optionMatches].map(([, option = '', value]) => [
      option,
      bare(option, value !== undefined, CHOICES[option] ?? choicesIn(value)),
    ]),
  )
  const calling = OWN_OUTPUT.includes(name) ? CALL_OPTION_NAMES : Object.keys(COMMON).map(option => `--${option}`)
  for (const option of calling) if (!options.has(option)) options.set(option, bare(option, VALUED.has(option)))
  const verbs = usage
    .split('\n')
    .flatMap(line => /^toolwright \w+ \[?([a-z]+(?:\|[a-z]+)*)\]?(?: |$)/.exec(line)?.[1]?.split('|') ?? [])
  return { name, about, options: [...options.values()], words: words ?? [...new Set(verbs)] }
}

/** Values of options whose help uses one placeholder for all. */
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  '--contract': CONTRACT_IDS,
  '--effects': ['off', 'quick', 'complete'],
}

const choicesIn = (value = ''): readonly string[] => (value.includes('|') ? value.split('|') : [])
