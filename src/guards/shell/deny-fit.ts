import { matchGlob } from '../glob.ts'
import type { Argv } from './guess.ts'
import { subcommandAt } from './git-words.ts'
import { programName } from './program-name.ts'

/** How well a rule fits: all of it, possibly, or not at all. */
export type Fit = 'whole' | 'near' | 'none'

/**
 * Whether a command is one that a rule's words begin, read generously: any path and case of the program, options in any order, joined
 * or spelled out, and options before a subcommand.
 */
export function denyFit(prefix: readonly string[], argv: Argv): Fit {
  const [program, ...rest] = argv
  if (!program) return 'none'
  const [denied = '', ...tokens] = prefix
  const fit = programFit(denied, program.text, program.glob === true)
  if (fit === 'none') return program.sure ? 'none' : 'near'
  const isGit = programName(denied) === 'git'
  const args = isGit ? argv.slice(subcommandAt(argv.map(({ text }) => text))) : rest
  const wanted = tokens.filter(token => !isOption(token))
  const options = tokens.filter(isOption)
  return weakest([fit, positionsFit(wanted, args, VALUED.get(programName(denied))), optionsFit(options, args)])
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

/** Options whose value is the next word, for programs with subcommands. */
const VALUED: ReadonlyMap<string, RegExp> = new Map([
  ['npm', /^(-C|-w|--(prefix|workspace|loglevel|registry|tag|otp|access|cache|userconfig|globalconfig|script-shell))$/],
  ['pnpm', /^(-C|--dir|--filter|-F|--loglevel|--registry)$/],
  ['yarn', /^--(cwd|registry)$/],
  ['docker', /^(-H|--host|-l|--log-level|--config|-c|--context)$/],
  ['kubectl', /^(-n|--namespace|--context|--cluster|--kubeconfig|-s|--server|--user)$/],
  ['cargo', /^(--manifest-path|--color|-C|--config|-Z)$/],
])

/** The rule's words in their order, with options between them. */
function positionsFit(wanted: readonly string[], args: Argv, valued: RegExp | undefined): Fit {
  let found = 0
  let isLoose = false
  let isUnsure = false
  let last = ''
  for (const { text, sure, glob } of args) {
    const next = wanted[found]
    if (next === undefined) break
    if (text === next || (glob && mayFind(text, next))) found++
    else if (!sure) isUnsure = true
    else if (!isOption(text)) {
      if (last === '') break
      // It may be the value of the option before it.
      if (!valued?.test(last)) isLoose = true
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
