import { matchGlob } from '../glob.ts'
import { ruleOf, type Rule, type Spelling } from './denied-words.ts'
import { twinName } from './family-name.ts'
import { strongest, weakest, type Fit } from './rule-fit.ts'
import { worksFor } from './git-steps.ts'
import type { Arg, Argv } from './likely-commands.ts'
import { optionsFit, readOptions } from './option-fit.ts'
import { mayBeAlias, subcommandAt, unknownAt } from './programs/git.ts'
import { optionTable } from './programs/option-table.ts'
import { takesNext } from './programs/read-arguments.ts'
import { programName } from './program-name.ts'
import { operandPlaces, type Subcommands } from './subcommand-fit.ts'

interface FitOptions {
  /** A word that begins like this is the rule's last one too. */
  readonly lastBegins?: string | undefined
  /** Ignores git's aliases: their commands are judged when git starts them. */
  readonly aliasesStartAgain?: boolean
  /** This start is a step of a git command that was judged itself. */
  readonly isConnecting?: boolean
}

/**
 * Reports how well a command matches a rule's words, read generously: any path and case of the program, options in any
 * order, joined or spelled out, and options before a subcommand.
 */
export function denyFit(prefix: readonly string[], argv: Argv, options: FitOptions = {}): Fit {
  const [program] = argv
  if (!program) return 'none'
  const rule = ruleOf(prefix)
  const fit = programFit(rule.name, program.text, program.glob === true)
  if (fit === 'none') return program.sure ? 'none' : 'near'
  const [firstOperand] = rule.spellings[0]?.operands ?? []
  const args = rule.name === 'git' ? namedAs(firstOperand, gitArguments(argv), options) : argv.slice(1)
  const isAlias = firstOperand !== undefined && isAliasOf(rule.name, args, rule.subcommands, options)
  const spellingFits = rule.subcommands
    .spellings(args)
    .flatMap(words => rule.spellings.map(spelling => spellingFit(spelling, words, { rule, isAlias, ...options })))
  return weakest([fit, globalFit(rule, argv), strongest(spellingFits)])
}

interface Comparison extends Pick<FitOptions, 'lastBegins'> {
  readonly rule: Rule
  readonly isAlias: boolean
}

/** Compares one spelling of a rule with one spelling of a command. */
function spellingFit({ table, operands, options, isEnded }: Spelling, args: Argv, from: Comparison): Fit {
  const { rule, isAlias, lastBegins } = from
  const { name, subcommands } = rule
  const isValued = (option: string): boolean => subcommands.takesNext(option) || takesNext(table.program, option)
  const positions = positionsFit(operands, args, { ...subcommands, takesNext: isValued, lastBegins })
  if (isAlias) return positions === 'none' ? 'near' : positions
  const texts = args.map(({ text }) => text)
  const commandOptions = readOptions(table, name === 'git' ? texts : [name, ...texts])
  const isUnsure = args.some(({ sure }) => !sure)
  const fit = weakest([optionsFit(table, options, commandOptions), endFit(isEnded, texts, operands)])
  return weakest([positions, fit === 'none' && isUnsure ? 'near' : fit])
}

/** A path after `--` may equally be one without it, as far as the line shows. */
function endFit(isEnded: boolean, texts: readonly string[], operands: readonly string[]): Fit {
  if (!isEnded || texts.includes('--')) return 'whole'
  return operands.length > 1 ? 'near' : 'none'
}

/** Compares the options that a rule names before a subcommand of git. */
function globalFit({ before }: Rule, argv: Argv): Fit {
  if (!before) return 'whole'
  const table = optionTable('git')
  const commandOptions = readOptions(table, argv.map(textOf))
  return optionsFit(table, before, commandOptions)
}

const textOf = ({ text }: Arg): string => text

/** Reports whether a configuration file may define what the command means. */
function isAliasOf(
  name: string,
  args: Argv,
  { mayBeAlias: mayBeOther, takesNext: isValued }: Subcommands,
  { aliasesStartAgain }: FitOptions,
): boolean {
  if (name === 'git') return aliasesStartAgain !== true && args[0] !== undefined && mayBeAlias(args[0].text)
  const first = args.find(({ text }, at) => !isOption(text) && !isValued(args[at - 1]?.text ?? ''))
  return first !== undefined && mayBeOther(first.text)
}

/** Returns the words from the subcommand on, or from the option before it whose value may be mistaken for it. */
function gitArguments(argv: Argv): Argv {
  const words = argv.map(({ text }) => text)
  return argv.slice(unknownAt(words) ?? subcommandAt(words))
}

/** `git send-pack` is a push. */
function namedAs(wanted: string | undefined, args: Argv, { isConnecting }: FitOptions): Argv {
  const [sub, ...rest] = args
  if (wanted === undefined || !sub || isConnecting || !worksFor(sub.text, wanted)) return args
  return [{ ...sub, text: wanted }, ...rest]
}

const isOption = (word: string): boolean => /^-./.test(word)

function programFit(wanted: string, text: string, isGlob: boolean): Fit {
  if (twinName(programName(text)) === wanted) return 'whole'
  if (!isGlob) return 'none'
  const name = text.split('/').at(-1) ?? ''
  return mayFind(name, wanted) && /[A-Za-z]/.test(name) ? 'whole' : 'near'
}

/** Reports whether a shell pattern matches a name. An unreadable one does not, for certain. */
function mayFind(pattern: string, name: string): boolean {
  try {
    return matchGlob(pattern, name)
  } catch {
    return false
  }
}

/** How the words of a command are compared with those of a rule. */
type Words = Subcommands & Pick<FitOptions, 'lastBegins'>

const beginsLike = (text: string, start: string | undefined): boolean => start !== undefined && text.startsWith(start)

/** Compares operands that are each one thing to do: `make all deploy`. */
function unorderedFit(wanted: readonly string[], args: Argv, { takesNext: isValued, lastBegins }: Words): Fit {
  const operands = operandPlaces(args, isValued).flatMap(at => args[at] ?? [])
  const isThere = (word: string, at: number): boolean =>
    operands.some(
      ({ text, glob }) =>
        text === word ||
        (glob === true && mayFind(text, word)) ||
        (at === wanted.length - 1 && beginsLike(text, lastBegins)),
    )
  if (wanted.every(isThere)) return 'whole'
  return args.some(({ sure }) => !sure) ? 'near' : 'none'
}

/** Compares the rule's words in their order, with options between them. */
function positionsFit(wanted: readonly string[], args: Argv, words: Words): Fit {
  const { means, takesNext: isValued, isUnordered, lastBegins } = words
  if (isUnordered) return unorderedFit(wanted, args, words)
  let position = 0
  let isLoose = false
  let isUnsure = false
  let last = ''
  for (const { text, sure, glob } of args) {
    const next = wanted[position]
    if (next === undefined) break
    const isLike = position === wanted.length - 1 && beginsLike(text, lastBegins)
    if (isLike || means(text, next, position) || (glob && mayFind(text, next))) position++
    else if (!sure) isUnsure = true
    else if (!isOption(text)) {
      if (last === '') break
      // It may be the value of the option before it.
      if (!isValued(last)) isLoose = true
    }
    last = isOption(text) && text !== '--' && !text.includes('=') ? text : ''
  }
  if (position === wanted.length) return isLoose ? 'near' : 'whole'
  return isUnsure ? 'near' : 'none'
}
