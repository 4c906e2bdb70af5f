import type { Concern } from './concern.ts'
import { isShell } from './embedded.ts'
import { findConcerns } from './find-arguments.ts'
import { gitConcerns } from './git-arguments.ts'
import { interpreterConcerns } from './interpreter-arguments.ts'
import { optionConcerns } from './options.ts'
import { PROGRAM_OPTIONS } from './program-options.ts'
import { READER_OPTIONS } from './reader-options.ts'
import { literalOf, type Word } from './script.ts'
import { sedConcerns } from './sed-arguments.ts'
import { SPECIAL_ARGUMENTS } from './special-arguments.ts'
import { subcommandConcerns } from './subcommand-arguments.ts'
import { unlistedConcerns } from './unlisted-arguments.ts'
import { innerStart, wrapperOf } from './wrapper.ts'
import { WRITER_OPTIONS } from './writer-options.ts'

/** Builtins that give names a new meaning, or read their arguments as commands. */
const EVALUATING = new Set(
  `eval source . trap alias unalias bind complete compgen mapfile readarray read export declare typeset local readonly let unset hash
  enable shopt set fc history wait getopts`.split(/\s+/),
)

/** What in a command is not covered by a rule for its first words; what the rule itself spells is. */
export function argumentConcerns(words: readonly Word[], ruleLength: number): readonly Concern[] {
  const [first] = words
  const name = (first && literalOf(first)) ?? ''
  return concernsOf(name, words, ruleLength).filter(({ at }) => at >= ruleLength)
}

function concernsOf(name: string, words: readonly Word[], ruleLength: number): readonly Concern[] {
  const options = PROGRAM_OPTIONS.get(name) ?? READER_OPTIONS.get(name) ?? WRITER_OPTIONS.get(name)
  if (options) return optionConcerns(options, words)
  if (name === 'git') return gitConcerns(words, ruleLength)
  if (name === 'find') return findConcerns(words)
  if (name === 'sed') return sedConcerns(words)
  const special = SPECIAL_ARGUMENTS.get(name)
  if (special) return special(words)
  if (wrapperOf(name) || isShell(name) || EVALUATING.has(name)) return wrapperConcerns(name, words, ruleLength)
  return subcommandConcerns(name, words) ?? interpreterConcerns(name, words) ?? unlistedConcerns(words)
}

/** A rule for a wrapper covers only commands that the rule names too. */
function wrapperConcerns(name: string, words: readonly Word[], ruleLength: number): readonly Concern[] {
  const wrapper = wrapperOf(name)
  const texts = words.map(word => literalOf(word) ?? '')
  const start = wrapper ? innerStart(wrapper, texts) : shellFile(name, texts)
  if (start === undefined || start >= ruleLength)
    return [{ at: Math.max(words.length - 1, 1), what: `${name} runs a command that no rule names` }]
  const inner = argumentConcerns(words.slice(start), ruleLength - start)
  return inner.map(({ at, what }) => ({ at: at + start, what }))
}

/** Where the script of a shell stands, if it is in a file. */
function shellFile(name: string, texts: readonly string[]): number | undefined {
  return isShell(name) && texts[1] !== undefined && /^[^-+]/.test(texts[1]) ? 1 : undefined
}
