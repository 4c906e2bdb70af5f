import { argumentConcerns } from './arguments.ts'
import { harmlessOptions } from './programs/git.ts'
import { redirectionConcern } from './harmless-redirection.ts'
import { isControl } from './control-words.ts'
import { isQuestion } from './needs-no-rule.ts'
import { findExec } from './find-exec.ts'
import { isHarmlessAssignment, isKnownAssignment } from './harmless-assignment.ts'
import { isReadingCommand } from './is-reading.ts'
import { literalOf, type Simple, type Word } from './script.ts'
import { xargsCommand } from './xargs-command.ts'

interface AllowRule {
  readonly id: string
  readonly prefix: readonly string[]
}

/** The concern that keeps a command from being covered, or the rule that covers it; neither if it starts nothing. */
interface Cover {
  readonly concern?: string
  readonly rule?: string
}

/** Matches a command against rules that allow. Words are taken literally: no path, no other case. */
export function coveringRule(command: Simple, rules: readonly AllowRule[]): Cover {
  const { words, assignments, redirections } = command
  const isRead = command.isLoopRead === true
  const isCovered = words.length > 0 ? isKnownAssignment : isHarmlessAssignment
  const assignment = isRead ? undefined : assignments.find(one => !isCovered(one))
  if (assignment) return { concern: `it sets the variable ${assignment.name}` }
  for (const redirection of redirections) {
    const concern = redirectionConcern(redirection)
    if (concern !== undefined) return { concern }
  }
  if (words.length === 0 || command.isCall || isControl(command) || isRead) return {}
  const findCommand = findExec(command)
  if (findCommand?.commands.every(inner => isReadingCommand(inner) && coveringRule(inner, rules).rule !== undefined))
    return coveringRule(findCommand.find, rules)
  return coverByXargs(command, rules) ?? coverByWords(command, rules)
}

/** A rule for `xargs` covers a command that another rule covers and that only reads, whatever names it gets. */
function coverByXargs(command: Simple, rules: readonly AllowRule[]): Cover | undefined {
  const innerCommand = xargsCommand(command)
  const rule = innerCommand && rules.find(({ prefix }) => prefix[0] === 'xargs' && isPrefix(prefix, command.words))
  if (!innerCommand || !rule || coveringRule(innerCommand.written, rules).rule === undefined) return undefined
  const { written, filled } = innerCommand
  const { rule: wordRule } = coverByWords(command, rules)
  if (wordRule !== undefined) return { rule: wordRule }
  const name = written.words[0]?.source ?? ''
  if (!filled) return { concern: `xargs gives ${name} words that are not known to be names of files in the workspace` }
  const { concern } = coveringRule(filled, rules)
  if (concern === undefined && isReadingCommand(filled)) return { rule: rule.id }
  return { concern: `xargs gives ${name} words from its input, which may be options or do more than read` }
}

const isPrefix = (prefix: readonly string[], words: readonly Word[]): boolean =>
  prefix.every((token, at) => token === (words[at] && literalOf(words[at])))

function coverByWords(command: Simple, rules: readonly AllowRule[]): Cover {
  const { words } = command
  let concern = 'no rule'
  for (const plain of spellingsOf(words)) {
    const texts = plain.map(literalOf)
    for (const { id, prefix } of rules) {
      const ruleWords = withoutHarmless(prefix, token => token)
      if (!ruleWords.every((token, at) => texts[at] === token)) continue
      const [first] = argumentConcerns(plain, ruleWords.length)
      if (!first) return { rule: id }
      concern = first.what
    }
  }
  return isQuestion(command) ? {} : { concern }
}

/** `git --no-pager log` is `git log`, and so is `git -C sub log` for a rule that names no directory. */
function spellingsOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const plain = withoutHarmless(words, literalOf)
  const anywhere = withoutHarmless(words, literalOf, 'places')
  return anywhere.length === plain.length ? [plain] : [plain, anywhere]
}

function withoutHarmless<T>(
  words: readonly T[],
  textOf: (word: T) => string | undefined,
  and?: 'places',
): readonly T[] {
  const texts = words.map(textOf)
  if (texts[0] !== 'git') return words
  return [...words.slice(0, 1), ...words.slice(1 + harmlessOptions(texts, and))]
}
