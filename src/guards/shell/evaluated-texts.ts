import type { LikelyCommand } from './likely-commands.ts'
import type { Texts } from './program-text.ts'
import { literalOf, type Script } from './script.ts'

/** Builtins that take the name of a variable, and evaluate the index in it, including its commands. */
const EVALUATORS = new Set(
  'declare typeset local export readonly unset read let test [ printf mapfile readarray wait getopts'.split(' '),
)
/** The shell's own variables whose value is arithmetic. */
const INTEGERS = new Set(
  'RANDOM SRANDOM OPTIND SECONDS LINENO HISTCMD HISTSIZE EPOCHSECONDS BASHPID BASH_SUBSHELL MAILCHECK TMOUT UID EUID PPID'.split(
    ' ',
  ),
)
const DOUBTS = /arithmetic|\$\{|evaluates|-v/
const MAX_TEXTS = 1_000

/**
 * Returns texts with commands that the shell may evaluate although they are written as plain text: `$((x))`, `${x@P}`,
 * `test -v`.
 */
export function evaluatedTexts({ doubts, commands }: Script, guesses: readonly LikelyCommand[]): Texts {
  const evaluates =
    doubts.some(({ what }) => DOUBTS.test(what)) ||
    commands.some(
      ({ assignments, loops = [] }) =>
        [...assignments, ...loops].some(({ name }) => INTEGERS.has(name)) ||
        assignments.some(({ value }) => /^\w+\[/.test(value.source)),
    ) ||
    guesses.some(({ argv }) => isEvaluator(argv.map(({ text }) => text)))
  if (!evaluates) return { texts: [], isCut: false }
  const loopWords = commands.flatMap(({ loops = [] }) =>
    loops.flatMap(({ words }) => words.map(word => literalOf(word) ?? '')),
  )
  const candidates = guesses
    .flatMap(({ argv, variables, input = '' }) => [
      ...argv.map(({ text }) => text),
      ...variables.map(({ value }) => value),
      input,
    ])
    .concat(loopWords)
    .filter(text => /\$\(|`/.test(text))
  const texts = candidates.slice(0, MAX_TEXTS).map(text => `: "${text.replaceAll('"', '')}"`)
  return { texts, isCut: candidates.length > MAX_TEXTS }
}

function isEvaluator(words: readonly string[]): boolean {
  const at = words.slice(0, 3).findIndex(word => EVALUATORS.has(word))
  const name = words[at]
  if (name === 'printf' || name === 'test' || name === '[') return words.some(word => /^-[vR]/.test(word))
  return at >= 0
}
