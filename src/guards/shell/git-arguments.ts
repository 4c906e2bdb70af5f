import { globConcern, type Concern } from './concern.ts'
import { GIT_READS, GIT_RUNS, GIT_SUBCOMMANDS, GIT_RUNNING_LETTERS, GIT_RUNNING_NAMES } from './git-options.ts'
import { subcommandAt } from './git-words.ts'
import { isInside } from './inside.ts'
import { optionConcerns } from './options.ts'
import { isOneWord, literalOf, type Word } from './script.ts'

/**
 * What in a git command a rule does not cover. A rule that names a reading subcommand covers its reading options; a rule for all of
 * git covers whatever neither runs a program nor changes what git itself is.
 */
export function gitConcerns(words: readonly Word[], ruleLength: number): readonly Concern[] {
  const texts = words.map(word => literalOf(word) ?? '')
  if (words.length === 2 && /^--(version|help)$/.test(texts[1] ?? '')) return []
  const start = subcommandAt(texts)
  const before = texts.slice(1, start).map((text, index) => ({ at: index + 1, what: `${text} changes how git works` }))
  const sub = texts[start] ?? ''
  if (sub === '') return [...before, { at: start, what: 'what git does is not known' }]
  const options = ruleLength > start ? GIT_READS.get(sub) : undefined
  const rest = words.slice(start)
  const concerns = options ? optionConcerns(options, rest) : wideConcerns(sub, rest)
  const after = [...concerns, ...operandConcerns(sub, rest)].map(({ at, what }) => ({ at: at + start, what }))
  return [...before, ...after]
}

/** Arguments that lead out of the workspace, or to a program. */
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
  const verb =
    words
      .slice(1)
      .map(literalOf)
      .find(text => !text?.startsWith('-')) ?? ''
  if (sub === 'config' && !isReadingConfig(words)) return [{ at: 1, what: 'it changes how git works' }]
  if ((sub === 'bisect' && verb === 'run') || (sub === 'submodule' && verb === 'foreach'))
    return [{ at: 1, what: `'git ${sub} ${verb}' runs a command` }]
  const risks = {
    letters: GIT_RUNNING_LETTERS.get(sub) ?? '',
    names: [...GIT_RUNS, ...(GIT_RUNNING_NAMES.get(sub) ?? [])],
  }
  return words.flatMap((word, at) => {
    const what = at === 0 ? undefined : wideConcern(word, words[at - 1], risks)
    return what === undefined ? [] : [{ at, what }]
  })
}

interface Risks {
  readonly letters: string
  readonly names: readonly string[]
}

function wideConcern(word: Word, before: Word | undefined, { letters, names }: Risks): string | undefined {
  const text = literalOf(word)
  if (text === undefined) {
    const isText = COMMIT_TEXT.test(before?.source ?? '') || /^--(message|author|date|trailer)=/.test(word.source)
    return isText && isOneWord(word) ? undefined : globConcern(word, false)
  }
  const [, name] = /^--([^=]+)/.exec(text) ?? []
  if (name !== undefined && names.some(runs => runs.startsWith(name)))
    return `the option --${name} may run a program or write a file`
  // Behind one of these comes a text.
  const group = /^-[^-]/.test(text) ? text.slice(1).replace(/[mFC][^]*$/, '') : ''
  const risky = Array.from(group).find(letter => letters.includes(letter))
  return risky ? `the option -${risky} may run a program or write a file` : undefined
}

const isReadingConfig = (words: readonly Word[]): boolean =>
  words.some(word =>
    /^(--get|--get-all|--get-regexp|--get-urlmatch|--list|-l|get|list)$/.test(literalOf(word) ?? ''),
  ) && !words.some(word => /^--(add|unset|replace|rename|remove|edit)|^-[ef]|^--file/.test(literalOf(word) ?? ''))
