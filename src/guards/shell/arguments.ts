import { globConcern, type Concern } from './concern.ts'
import { isShell } from './embedded.ts'
import { EVALUATING } from './programs/builtins.ts'
import { innerCommand, type InnerCommand } from './programs/inner-command.ts'
import { judgeArguments } from './programs/judge-arguments.ts'
import { programOf } from './programs/programs.ts'
import { literalOf, type Word } from './script.ts'

/**
 * Returns the arguments that a rule for the command's first words does not cover; words that the rule spells are
 * covered.
 */
export function argumentConcerns(words: readonly Word[], ruleLength: number): readonly Concern[] {
  const [first] = words
  const name = (first && literalOf(first)) ?? ''
  if (isQuestion(name, words)) return []
  return concernsOf(name, words, ruleLength).filter(({ at }) => at >= ruleLength)
}

/** Reports whether a program is only asked for its version or usage. */
const isQuestion = (name: string, words: readonly Word[]): boolean =>
  words.length === 2 && /^--(version|help)$/.test(words[1]?.source ?? '') && programOf(name) !== undefined

function concernsOf(name: string, words: readonly Word[], ruleLength: number): readonly Concern[] {
  const program = programOf(name)
  if (program) return judgeArguments(program, words, { ruleLength })
  return wrapperConcerns(name, words, ruleLength) ?? unlistedConcerns(words)
}

/** A rule for a wrapper covers only commands that the rule names too; undefined if the program is no wrapper. */
function wrapperConcerns(name: string, words: readonly Word[], ruleLength: number): readonly Concern[] | undefined {
  const texts = words.map(word => literalOf(word) ?? '')
  const inner = innerCommand(name, texts)
  if (!inner && !isShell(name) && !EVALUATING.has(name)) return undefined
  if (inner?.isAsked || (inner && isPrinting(name, inner, words))) return []
  const start = inner ? inner.start : shellFile(name, texts)
  if (start === undefined || start >= ruleLength || inner?.isUncertain)
    return [{ at: Math.max(words.length - 1, 1), what: unnamedConcern(name) }]
  const concerns = argumentConcerns(words.slice(start), ruleLength - start)
  return concerns.map(({ at, what }) => ({ at: at + start, what }))
}

/** Builtins that run their arguments, or a file, at once or later. */
const RUNNING = new Set(['eval', 'source', '.', 'trap'])

function unnamedConcern(name: string): string {
  if (EVALUATING.has(name) && !RUNNING.has(name))
    return `${name} may change what later commands do, and a rule must spell all of it`
  return `${name} runs a command that no rule names`
}

/** Without a command, `env` prints the variables. */
const isPrinting = (name: string, { start, isUncertain }: InnerCommand, words: readonly Word[]): boolean =>
  name === 'env' &&
  start === undefined &&
  !isUncertain &&
  words.slice(1).every(word => /^(-[0i]+|--null|--ignore-environment)$/.test(literalOf(word) ?? ''))

/** Returns the place of a shell's script, if it is in a file. */
function shellFile(name: string, texts: readonly string[]): number | undefined {
  return isShell(name) && texts[1] !== undefined && /^[^-+]/.test(texts[1]) ? 1 : undefined
}

/** Options that mean a program to run, a file to write or another configuration in any program. */
const RISKY =
  /^(--?(exec|exec-batch|execute|eval|command|cmd|shell|script-shell|pager|editor|checkpoint-action|use-compress-program|compress-program|to-command|rsh|rsync-path|rmt-command|pre|preprocessor|init-file|rcfile|node-options|userconfig|globalconfig|prefix|require|import|loader|output|outfile|out-file|output-file|output-document)(=|$)|-o([^]|$))/

/** For a program without a table, the user's rule counts; uncertain words, and options that run or write, still ask. */
function unlistedConcerns(words: readonly Word[]): readonly Concern[] {
  const end = words.findIndex(word => literalOf(word) === '--')
  return words.flatMap((word, at) => {
    if (at === 0) return []
    const text = literalOf(word)
    const what = text === undefined ? globConcern(word, false) : riskOf(text, end > 0 && at > end)
    return what === undefined ? [] : [{ at, what }]
  })
}

const riskOf = (text: string, isOver: boolean): string | undefined =>
  !isOver && RISKY.test(text) ? `the option ${text} may run a program or write a file` : undefined
