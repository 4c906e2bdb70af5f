import { twinName } from './family-name.ts'
import { toOptions, type Options } from './option-fit.ts'
import { programName } from './program-name.ts'
import { subcommandAt } from './programs/git.ts'
import { optionTable, type OptionTable } from './programs/option-table.ts'
import { literalWord, readArguments } from './programs/read-arguments.ts'
import { subcommandsOf, type Subcommands } from './subcommand-fit.ts'

/** The words of a rule that asks or denies, each in its role. */
export interface Rule {
  /** The program, by one name for all of its names. */
  readonly name: string
  readonly subcommands: Subcommands
  /** Options before a subcommand of git. */
  readonly before?: Options
  /** The rule in every spelling that the program accepts, the written one first. */
  readonly spellings: readonly Spelling[]
}

export interface Spelling {
  readonly table: OptionTable
  readonly operands: readonly string[]
  readonly options: Options
  /** The rule contains `--`. */
  readonly isEnded: boolean
}

const rulesByPrefix = new WeakMap<readonly string[], Rule>()

export function ruleOf(prefix: readonly string[]): Rule {
  const compiledRule = rulesByPrefix.get(prefix) ?? compile(prefix)
  rulesByPrefix.set(prefix, compiledRule)
  return compiledRule
}

function compile([program = '', ...tokens]: readonly string[]): Rule {
  const name = twinName(programName(program))
  const subcommands = subcommandsOf(name)
  const start = name === 'git' ? subcommandAt([name, ...tokens]) - 1 : 0
  const words = tokens.slice(start).map(text => ({ text, sure: true }))
  const subcommandSpellings = subcommands.spellings(words).map(spelling => spelling.map(({ text }) => text))
  const before = start === 0 ? undefined : readAll(optionTable('git'), tokens.slice(0, start)).options
  return {
    name,
    subcommands,
    ...(before && { before }),
    spellings: subcommandSpellings.flatMap(one => spellingsOf(name, one)),
  }
}

/** The word after an unknown option may be its value, which a command may join to it. */
function spellingsOf(name: string, words: readonly string[]): readonly Spelling[] {
  const first = readArguments({ ...optionTable(name).program, optionsFirst: true }, [name, ...words].map(literalWord))
  const table = optionTable(name, name === 'git' ? words[0] : first.operands[0]?.word.source)
  const plainSpelling: Spelling = { table, ...readAll(table, words), isEnded: words.includes('--') }
  const at = words.findIndex(
    (word, index) => plainSpelling.options.unknown.includes(word) && /^[^-]/.test(words[index + 1] ?? ''),
  )
  const [option = '', value = ''] = words.slice(at)
  if (at < 0 || option.includes('=')) return [plainSpelling]
  const isLong = option.startsWith('--')
  const joinedWords = words.toSpliced(at, 2, isLong ? `${option}=${value}` : `${option}${value}`)
  return [plainSpelling, { ...plainSpelling, ...readAll(table, joinedWords) }]
}

function readAll(table: OptionTable, words: readonly string[]): Pick<Spelling, 'operands' | 'options'> {
  const { optionsFirst: _, ...program } = table.program
  const reading = readArguments(program, table.rewrite(['', ...words].map(literalWord)))
  return { operands: reading.operands.map(({ word }) => word.source), options: toOptions(table, [reading]) }
}
