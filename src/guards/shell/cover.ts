import { argumentConcerns } from './arguments.ts'
import { harmlessOptions } from './git-words.ts'
import { redirectionConcern } from './harmless-redirection.ts'
import { isControl } from './control-words.ts'
import { isQuestion } from './needs-no-rule.ts'
import { literalOf, type Assignment, type Simple } from './script.ts'
import { isTameName } from './tame-name.ts'

interface AllowRule {
  readonly id: string
  readonly prefix: readonly string[]
}

/** Either what keeps a command from being covered, or the rule that covers it; neither where it starts nothing. */
export interface Cover {
  readonly concern?: string
  readonly rule?: string
}

/** How rules that allow see a command. Words are taken as they are: no path, no other case. */
export function coverOf(command: Simple, rules: readonly AllowRule[]): Cover {
  const { words, assignments, redirections } = command
  const assignment = assignments.find(one => words.length > 0 || !isHarmless(one))
  if (assignment) return { concern: `it sets the variable ${assignment.name}` }
  for (const redirection of redirections) {
    const concern = redirectionConcern(redirection)
    if (concern !== undefined) return { concern }
  }
  if (words.length === 0 || command.isCall || isControl(command)) return {}
  const plain = withoutHarmless(words, literalOf)
  const texts = plain.map(literalOf)
  const fitting = rules
    .map(({ id, prefix }) => ({ id, prefix: withoutHarmless(prefix, token => token) }))
    .filter(({ prefix }) => prefix.every((token, at) => texts[at] === token))
  let concern = 'no rule'
  for (const { id, prefix } of fitting) {
    const [first] = argumentConcerns(plain, prefix.length)
    if (!first) return { rule: id }
    concern = first.what
  }
  return isQuestion(command) ? {} : { concern }
}

/** It is for the line's own use, and its index starts nothing. */
const isHarmless = ({ name, value, elements }: Assignment): boolean =>
  isTameName(name) && elements === undefined && !/^\w+\[/.test(value.source)

/** `git --no-pager log` is `git log`. */
function withoutHarmless<T>(words: readonly T[], textOf: (word: T) => string | undefined): readonly T[] {
  const texts = words.map(textOf)
  if (texts[0] !== 'git') return words
  return [...words.slice(0, 1), ...words.slice(1 + harmlessOptions(texts))]
}
