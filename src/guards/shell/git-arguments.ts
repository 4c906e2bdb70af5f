import { globConcern, type Concern } from './concern.ts'
import { GIT_READS, GIT_RUNS, GIT_SUBCOMMANDS, GIT_RUNNING_LETTERS } from './git-options.ts'
import { isInside } from './inside.ts'
import { optionConcerns } from './options.ts'
import { isOneWord, literalOf, type Word } from './script.ts'

/**
 * What in a git command a rule does not cover. A rule that names a reading subcommand covers its reading options; a rule for all of
 * git covers whatever neither runs a program nor changes what git itself is.
 */
export function gitConcerns(words: readonly Word[], ruleLength: number): readonly Concern[] {
  const [, second] = words
  const sub = second && literalOf(second)
  if (sub === undefined) return [{ at: 1, what: 'what git does is not known' }]
  if (sub === '--version' || sub === '--help')
    return words.length > 2 ? [{ at: 2, what: 'it is more than a question' }] : []
  if (sub.startsWith('-')) return [{ at: 1, what: `the option ${sub} changes how git works` }]
  const options = ruleLength > 1 ? GIT_READS.get(sub) : undefined
  const rest = words.slice(1)
  const concerns = options ? optionConcerns(options, rest) : wideConcerns(sub, rest)
  return [...concerns, ...operandConcerns(sub, rest)].map(({ at, what }) => ({ at: at + 1, what }))
}

/** Without a mode that only lists, an argument of `git branch` makes a branch. */
function operandConcerns(sub: string, words: readonly Word[]): readonly Concern[] {
  return words.slice(1).flatMap((word, index) => {
    const text = literalOf(word)
    if (text === undefined || text.startsWith('-') || COMMIT_TEXT.test(words[index]?.source ?? '')) return []
    if (text.includes('::')) return [{ at: index + 1, what: `${text} names a program to talk to` }]
    return isInside(text) || sub === 'clone' ? [] : [{ at: index + 1, what: `'${text}' is outside the workspace` }]
  })
}

const COMMIT_TEXT = /^(-[a-zA-Z]*m|--message|--author|--date|--trailer|--grep|--format|--pretty|-[SG])$/

function wideConcerns(sub: string, words: readonly Word[]): readonly Concern[] {
  if (!GIT_SUBCOMMANDS.has(sub)) return [{ at: 0, what: `'git ${sub}' may be an alias, or run a program` }]
  const [, first] = words
  const verb = (first && literalOf(first)) ?? ''
  if (sub === 'config' && !isReadingConfig(words)) return [{ at: 1, what: 'it changes how git works' }]
  if ((sub === 'bisect' && verb === 'run') || (sub === 'submodule' && verb === 'foreach'))
    return [{ at: 1, what: `'git ${sub} ${verb}' runs a command` }]
  const letters = GIT_RUNNING_LETTERS.get(sub) ?? ''
  return words.flatMap((word, at) => {
    const what = at === 0 ? undefined : wideConcern(word, words[at - 1], letters)
    return what === undefined ? [] : [{ at, what }]
  })
}

function wideConcern(word: Word, before: Word | undefined, letters: string): string | undefined {
  const text = literalOf(word)
  if (text === undefined) {
    const isText = COMMIT_TEXT.test(before?.source ?? '') || /^--(message|author|date|trailer)=/.test(word.source)
    return isText && isOneWord(word) ? undefined : globConcern(word, false)
  }
  const [, name] = /^--([^=]+)/.exec(text) ?? []
  if (name !== undefined && GIT_RUNS.some(runs => runs.startsWith(name)))
    return `the option --${name} may run a program or write a file`
  const risky = /^-[^-]/.test(text) && Array.from(text.slice(1)).find(letter => letters.includes(letter))
  return risky ? `the option -${risky} may run a program or write a file` : undefined
}

const isReadingConfig = (words: readonly Word[]): boolean =>
  words.some(word =>
    /^(--get|--get-all|--get-regexp|--get-urlmatch|--list|-l|get|list)$/.test(literalOf(word) ?? ''),
  ) && !words.some(word => /^--(add|unset|replace|rename|remove|edit)|^-[ef]|^--file/.test(literalOf(word) ?? ''))
