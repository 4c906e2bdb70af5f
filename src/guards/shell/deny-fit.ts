import { matchGlob } from '../glob.ts'
import { worksFor } from './git-steps.ts'
import type { Argv } from './guess.ts'
import { mayBeAlias, subcommandAt, unknownAt } from './programs/git.ts'
import { programName } from './program-name.ts'
import { subcommandsOf, type Subcommands } from './subcommand-fit.ts'

/** How well a rule fits: all of it, possibly, or not at all. */
export type Fit = 'whole' | 'near' | 'none'

export interface FitOptions {
  /** An alias of git is no concern here: what it stands for is judged when git starts it. */
  readonly aliasesStartAgain?: boolean
  /** A command of git that was judged itself does its work by this start. */
  readonly isConnecting?: boolean
}

/**
 * Whether a command is one that a rule's words begin, read generously: any path and case of the program, options in any order, joined
 * or spelled out, and options before a subcommand.
 */
export function denyFit(prefix: readonly string[], argv: Argv, options: FitOptions = {}): Fit {
  const [program, ...rest] = argv
  if (!program) return 'none'
  const [denied = '', ...tokens] = prefix
  const fit = programFit(denied, program.text, program.glob === true)
  if (fit === 'none') return program.sure ? 'none' : 'near'
  const wanted = tokens.filter(token => !isOption(token))
  const wantedOptions = tokens.filter(isOption)
  const name = programName(denied)
  const args = name === 'git' ? namedAs(wanted[0], gitArguments(argv), options) : rest
  const subcommands = subcommandsOf(name)
  const isAlias = wanted.length > 0 && isAliasOf(name, args, subcommands, options)
  const positions = spelledFit(wanted, args, subcommands)
  return weakest([
    fit,
    isAlias && positions === 'none' ? 'near' : positions,
    isAlias ? 'whole' : optionsFit(wantedOptions, args),
  ])
}

/** The best fit of the words in any spelling that the program has for them. */
function spelledFit(wanted: readonly string[], args: Argv, subcommands: Subcommands): Fit {
  const rules = subcommands.spellings(wanted.map(text => ({ text, sure: true })))
  const fits = subcommands
    .spellings(args)
    .flatMap(words => rules.map(rule => positionsFit(rule.map(textOf), words, subcommands)))
  return strongest(fits)
}

const textOf = ({ text }: Argv[number]): string => text

/** Whether a configuration file may say what the command is. */
function isAliasOf(
  name: string,
  args: Argv,
  { mayBeAlias: mayBeOther, takesNext }: Subcommands,
  { aliasesStartAgain }: FitOptions,
): boolean {
  if (name === 'git') return aliasesStartAgain !== true && args[0] !== undefined && mayBeAlias(args[0].text)
  const first = args.find(({ text }, at) => !isOption(text) && !takesNext(args[at - 1]?.text ?? ''))
  return first !== undefined && mayBeOther(first.text)
}

/** From the subcommand on, or from the option before it whose value may be mistaken for it. */
function gitArguments(argv: Argv): Argv {
  const words = argv.map(({ text }) => text)
  return argv.slice(unknownAt(words) ?? subcommandAt(words))
}

const strongest = (fits: readonly Fit[]): Fit => {
  if (fits.includes('whole')) return 'whole'
  return fits.includes('near') ? 'near' : 'none'
}

/** `git send-pack` is a push. */
function namedAs(wanted: string | undefined, args: Argv, { isConnecting }: FitOptions): Argv {
  const [sub, ...rest] = args
  if (wanted === undefined || !sub || isConnecting || !worksFor(sub.text, wanted)) return args
  return [{ ...sub, text: wanted }, ...rest]
}

const weakest = (fits: readonly Fit[]): Fit => {
  if (fits.includes('none')) return 'none'
  return fits.includes('near') ? 'near' : 'whole'
}

const isOption = (word: string): boolean => /^-./.test(word)

function programFit(denied: string, text: string, isGlob: boolean): Fit {
  const wanted = programName(denied)
  if (programName(text) === wanted) return 'whole'
  if (!isGlob) return 'none'
  const name = text.split('/').at(-1) ?? ''
  return mayFind(name, wanted) && /[A-Za-z]/.test(name) ? 'whole' : 'near'
}

/** Whether a pattern of the shell finds a name; one that we cannot read does not, for certain. */
function mayFind(pattern: string, name: string): boolean {
  try {
    return matchGlob(pattern, name)
  } catch {
    return false
  }
}

/** The rule's words in their order, with options between them. */
function positionsFit(wanted: readonly string[], args: Argv, { means, takesNext }: Subcommands): Fit {
  let found = 0
  let isLoose = false
  let isUnsure = false
  let last = ''
  for (const { text, sure, glob } of args) {
    const next = wanted[found]
    if (next === undefined) break
    if (means(text, next, found) || (glob && mayFind(text, next))) found++
    else if (!sure) isUnsure = true
    else if (!isOption(text)) {
      if (last === '') break
      // It may be the value of the option before it.
      if (!takesNext(last)) isLoose = true
    }
    last = isOption(text) && !text.includes('=') ? text : ''
  }
  if (found === wanted.length) return isLoose ? 'near' : 'whole'
  return isUnsure ? 'near' : 'none'
}

const LONG: Readonly<Record<string, readonly string[]>> = { r: ['R', 'recursive'], R: ['r', 'recursive'], f: ['force'] }
const SHORT: Readonly<Record<string, readonly string[]>> = { recursive: ['r', 'R'], force: ['f'] }

function optionsFit(wanted: readonly string[], args: Argv): Fit {
  if (wanted.length === 0) return 'whole'
  const end = args.findIndex(({ text }) => text === '--')
  const given = (end < 0 ? args : args.slice(0, end)).filter(({ text }) => isOption(text)).map(({ text }) => text)
  const letters = new Set(given.filter(text => !text.startsWith('--')).flatMap(text => Array.from(text.slice(1))))
  const long = given.filter(text => /^--./.test(text)).map(text => text.slice(2).split('=')[0] ?? '')
  const hasLong = (name: string): boolean => long.some(one => name.startsWith(one))
  const hasLetter = (letter: string): boolean =>
    [letter, ...(LONG[letter] ?? [])].some(name => (name.length === 1 ? letters.has(name) : hasLong(name)))
  const isGiven = (option: string): boolean => {
    if (given.includes(option)) return true
    // Longer ones are words of their own: find -delete.
    if (!option.startsWith('--')) return option.length <= 4 && Array.from(option.slice(1)).every(hasLetter)
    const name = option.slice(2).split('=')[0] ?? ''
    return hasLong(name) || (SHORT[name] ?? []).some(letter => letters.has(letter))
  }
  if (wanted.every(isGiven)) return 'whole'
  return args.some(({ sure }) => !sure) ? 'near' : 'none'
}
