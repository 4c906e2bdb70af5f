import { isStricter, stricterOf, type Verdict } from '../verdict.ts'
import { isControl } from './control-words.ts'
import { coveringRule } from './covering-rule.ts'
import { denyFit } from './deny-fit.ts'
import { twinName } from './family-name.ts'
import type { Fit } from './rule-fit.ts'
import { likelyCommands, type Argv } from './likely-commands.ts'
import { isMove } from './needs-no-rule.ts'
import { parseLine, ODD } from './parse-line.ts'
import { programName } from './program-name.ts'
import { startedCommands } from './started-commands.ts'
import { inputConcerns } from './standard-input.ts'
import type { Script, Simple } from './script.ts'

const KEYWORDS = new Set([
  'if',
  'then',
  'elif',
  'else',
  'while',
  'until',
  'do',
  '!',
  'time',
  'coproc',
  'function',
  '[[',
  '((',
  'in',
  'for',
  'case',
])

/**
 * Returns the commands of a line that could not be read: without its invisible characters, else from wherever one could
 * begin.
 */
function recoverCommands(line: string): readonly Argv[] {
  const cleanLines = [...new Set([line.replaceAll(ODD, ''), line.replaceAll(ODD, ' '), line.replaceAll(ODD, '\n')])]
  const scripts = cleanLines.filter(text => text !== line).map(parseLine)
  if (scripts.length > 0 && scripts.every(({ broken }) => broken === undefined))
    return scripts.flatMap(script => startedCommands(script).commands)
  return recoveredCommands(line)
}

/**
 * Returns the commands from every place where one could begin in an uncertain script: after every operator, bracket and
 * keyword, with quotes and invisible characters removed.
 */
function recoveredCommands(line: string): readonly Argv[] {
  const heads = line
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\$\{?IFS\}?/g, ' ')
    .replaceAll(/["'\\]/g, '')
    .split(/[;|&<>()`\n\r\v\f{}[\]]|\$\(/)
    .slice(0, MAX_HEADS)
  return heads.flatMap(head => {
    const words = head.split(/\s+/).filter(word => word !== '')
    let start = 0
    while (start < words.length && (KEYWORDS.has(words[start] ?? '') || /^\w+\+?=/.test(words[start] ?? ''))) start++
    return start < words.length ? [words.slice(start).map(text => ({ text, sure: true }))] : []
  })
}

const MAX_HEADS = 20_000
// oxlint-disable-next-line no-control-regex
const INVISIBLE = /[\p{Cf}\0]/gu

/** A rule about commands: their first words, empty for every command. */
export interface CommandRule {
  readonly id: string
  readonly verdict: Verdict
  readonly prefix: readonly string[]
  /** An ask or deny takes a word that begins like this for the last one. */
  readonly lastBegins?: string | undefined
  readonly why?: string | undefined
  readonly always?: true | undefined
  /** It does not replace the default. */
  readonly narrows?: true | undefined
}

interface CommandRules {
  readonly rules: readonly CommandRule[]
  /** The verdict if no rule applies. */
  readonly fallback: Verdict
  /** Why that applies, for people; the default of the configuration unless given. */
  readonly ground?: string | undefined
  /** The command gets input that the line does not show; `added` if it runs already. */
  readonly input?: 'given' | 'added' | undefined
}

export interface Judged {
  readonly verdict: Verdict
  /** The reason, for people. */
  readonly why: string
  readonly rule?: string
  /** The part of the line that decided. */
  readonly part?: string
  /** Other parts that prevent it as well. */
  readonly others?: readonly string[]
  /** Those that a permission would allow, because no rule covers them. */
  readonly grantable?: readonly string[]
  /** It contains nothing that a rule could allow. */
  readonly empty?: true
  /** Only a person may answer. */
  readonly always?: true
}

/**
 * Judges a command line by the rules. Every simple command in it must be allowed. A rule that asks or denies applies
 * wherever the line would start its command, behind wrappers and in other spellings. Anything not understood asks.
 */
export function judgeCommand(line: string, { rules, fallback, input, ground: because }: CommandRules): Judged {
  const script = parseLine(line)
  const strict = rules.filter(({ verdict }) => verdict !== 'allow')
  const allows = rules.filter(({ verdict }) => verdict === 'allow')
  const context: Ground = { allows, strict, fallback, because: because ?? `the default for exec is ${fallback}` }
  const inputFindings = input === undefined ? [] : judgeInput(script, context)
  // The command was judged when it started.
  if (input === 'added') return inputFindings[0] ?? { verdict: 'allow', why: 'it runs already, and takes only data' }
  const lineFindings = strict.length > 0 ? meetStrict(line, script, strict) : []
  const findings = [...lineFindings, ...inputFindings, ...judgeParts(script, context)]
  const first = findings.reduce<Judged | undefined>(worse, undefined)
  if (first) return withOthers(first, findings)
  const isEmpty = script.commands.every(({ words, assignments }) => words.length + assignments.length === 0)
  const startsNothing = script.commands.every(command => command.words.length === 0 || isControl(command))
  if (isEmpty || (startsNothing && fallback === 'deny' && !allows.some(isEverything)))
    return { verdict: stricterOf(fallback, 'ask'), why: 'there is no command in it', empty: true }
  if (startsNothing) return { verdict: 'allow', why: 'it starts no command' }
  return { verdict: 'allow', why: 'every command in it is allowed', ...allowing(script, allows) }
}

/** Adds the other parts, because an approval covers all of the line. */
function withOthers(first: Judged, findings: readonly Judged[]): Judged {
  if (first.part === undefined) return first
  const parts = (all: readonly Judged[]): readonly string[] => {
    const otherParts = all.flatMap(({ verdict, part }) =>
      verdict === first.verdict && part !== undefined ? [part] : [],
    )
    return [...new Set(otherParts)].filter(part => part !== first.part)
  }
  const others = parts(findings)
  const grantable = parts(findings.filter(({ rule }) => rule === undefined))
  return others.length === 0 ? first : { ...first, others, ...(grantable.length > 0 && { grantable }) }
}

/** Returns the rule that allows the first command. */
function allowing({ commands: [first] }: Script, allows: readonly CommandRule[]): { readonly rule?: string } {
  const everything = allows.find(isEverything)?.id
  const rule = everything ?? (first && coveringRule(first, allows).rule)
  return rule === undefined ? {} : { rule }
}

/** Of two equally strict findings, returns the one that only a person may answer, else the earlier. */
function worse(one: Judged | undefined, other: Judged): Judged {
  if (!one || isStricter(other.verdict, one.verdict)) return other
  return other.verdict === one.verdict && other.always && !one.always ? other : one
}

/** Returns the rules that a line visibly meets; approval of the line answers them. */
export const metBy = (line: string, rules: readonly CommandRule[]): readonly string[] =>
  meetStrict(line, parseLine(line), rules).flatMap(({ rule, part }) => (part === undefined ? [] : (rule ?? [])))

/** Returns the asks and denies that the line meets. */
function meetStrict(line: string, script: Script, strict: readonly CommandRule[]): readonly Judged[] {
  const { commands, possible, hidden } = startedCommands(script)
  const certain = byProgram([...commands, ...(script.broken === undefined ? [] : recoverCommands(line))])
  const perhaps = byProgram(possible)
  const doubt = script.broken ?? script.doubts.find(({ opaque }) => opaque)?.what
  const unread = doubt === undefined ? '' : `${notFollowed(doubt)}; `
  return strict.flatMap(rule => {
    const candidates = certain(rule)
    const hit = candidates.find(argv => fitOf(rule, argv) === 'whole')
    if (hit) return [judgedBy(rule, rule.verdict, commandText(hit), rule.why ?? `rule ${rule.id}`)]
    const mayMeet =
      hidden ||
      candidates.some(argv => fitOf(rule, argv) === 'near') ||
      perhaps(rule).some(argv => fitOf(rule, argv) === 'whole')
    return mayMeet ? [judgedBy(rule, 'ask', undefined, `${unread}it may be a command of rule ${rule.id}`)] : []
  })
}

/** Returns the commands that a rule can apply to: those of its program, and those whose program is uncertain. */
function byProgram(all: readonly Argv[]): (rule: CommandRule) => readonly Argv[] {
  const groups = Map.groupBy(all, ([program]) => (program?.sure ? twinName(programName(program.text)) : ''))
  return ({ prefix: [name] }) =>
    name === undefined ? all : [...(groups.get(twinName(programName(name))) ?? []), ...(groups.get('') ?? [])]
}

const fitOf = ({ prefix, lastBegins }: CommandRule, argv: Argv): Fit =>
  prefix.length === 0 ? 'whole' : denyFit(prefix, argv, { lastBegins })

const judgedBy = ({ id, always }: CommandRule, verdict: Verdict, part: string | undefined, why: string): Judged => ({
  verdict,
  why,
  rule: id,
  ...(part !== undefined && { part }),
  ...(always && verdict === 'ask' && { always }),
})

const commandText = (argv: Argv): string => argv.map(({ text }) => text).join(' ')

interface Ground {
  readonly allows: readonly CommandRule[]
  readonly strict: readonly CommandRule[]
  readonly fallback: Verdict
  /** Why the fallback applies. */
  readonly because: string
}

/** Every command may run, and so may anything that a command starts. */
const isOpen = ({ allows, fallback }: Ground): boolean => fallback === 'allow' || allows.some(isEverything)

/** Input for the line asks each time, because no rule or approval of the line covers it. */
const judgeInput = (script: Script, ground: Ground): readonly Judged[] =>
  isOpen(ground)
    ? []
    : inputConcerns(script).map(({ command, what }) => ({
        ...unmet(command, ground, what),
        empty: true,
        ...(ground.fallback === 'ask' && { always: true }),
      }))

/** Returns what keeps the line from being allowed, apart from rules that ask or deny. */
function judgeParts(script: Script, ground: Ground): readonly Judged[] {
  const { allows, strict, fallback } = ground
  if (isOpen(ground)) return []
  const asks = strict.filter(({ verdict, narrows }) => verdict === 'ask' && !narrows)
  const { guesses } = asks.length > 0 ? likelyCommands(script) : { guesses: [] }
  const parts = script.commands.flatMap((command, at) => {
    const { concern } = coveringRule(command, allows)
    // An ask for this very command replaces the default, as an allow does.
    const isAsked = asks.some(rule => fitOf(rule, guesses[at]?.argv ?? []) === 'whole')
    if (concern === undefined || isAsked || isMove(command, script)) return []
    return [unmet(command, ground, concern)]
  })
  const doubt = script.broken ?? script.doubts[0]?.what
  if (doubt === undefined) return parts
  return [...parts, { verdict: stricterOf(fallback, 'ask'), why: notFollowed(doubt) }]
}

const notFollowed = (doubt: string): string => `the line is not followed: ${doubt}`

const isEverything = ({ prefix, narrows }: CommandRule): boolean => prefix.length === 0 && narrows !== true

function unmet({ source: part }: Simple, { fallback, because }: Ground, why: string): Judged {
  return { verdict: fallback, why: `${why}, and ${because}`, part }
}
