import type { Action } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { compileGlob } from '../glob.ts'
import { compileMatcher, type Matcher, type Target } from './matcher.ts'
import type { Verdict } from './verdict.ts'

type RuleSource = 'builtin' | 'user' | 'project' | 'permission' | 'session'

/** One sentence of a policy. At most one of path, command, host and secret; none means every resource of the action. */
export interface Rule extends Target {
  readonly id: string
  readonly verdict: Verdict
  readonly why?: string | undefined
  readonly source: RuleSource
  /** Resources that the rule must match, and must not match; checked when it is loaded. */
  readonly match?: readonly string[] | undefined
  readonly notMatch?: readonly string[] | undefined
  /** Its ask is never answered by a remembered approval. */
  readonly always?: true | undefined
  /** Globs of what a command that it allows may change without a question; none at all where it may change nothing. */
  readonly writes?: readonly string[] | undefined
  /** `line`: it holds for what the line itself starts, and not for what programs start in turn. */
  readonly depth?: 'line' | undefined
  /** It only adds strictness: it does not stand in for the default, as a rule of the user does. */
  readonly narrows?: true | undefined
}

export interface CompiledRule extends Rule {
  readonly matcher: Matcher
}

/** Rules that passed their own examples, sorted by the action they can touch. */
export interface CompiledRules {
  readonly all: readonly CompiledRule[]
  readonly byAction: Readonly<Record<Action, readonly CompiledRule[]>>
}

const MAX_RULES = 1_000
const ACTIONS: readonly Action[] = ['read', 'create', 'write', 'exec', 'net', 'reveal']

/** Checks rules and their examples and makes them ready; throws `invalid_input` naming the rule and what is wrong with it. */
export function compileRules(rules: readonly Rule[]): CompiledRules {
  if (rules.length > MAX_RULES)
    throw new ToolError('invalid_input', `A policy has at most ${MAX_RULES} rules, not ${rules.length}`)
  const seen = new Set<string>()
  const all = rules.map(rule => {
    if (seen.has(rule.id)) throw refuse(rule, 'another rule has the same id')
    seen.add(rule.id)
    return compileRule(rule)
  })
  const of = (action: Action): readonly CompiledRule[] => all.filter(rule => rule.matcher.actions.includes(action))
  const [read, create, write, exec, net, reveal] = ACTIONS.map(of)
  const none: readonly CompiledRule[] = []
  return {
    all,
    byAction: {
      read: read ?? none,
      create: create ?? none,
      write: write ?? none,
      exec: exec ?? none,
      net: net ?? none,
      reveal: reveal ?? none,
    },
  }
}

function compileRule(rule: Rule): CompiledRule {
  if (rule.writes !== undefined && (rule.command === undefined || rule.verdict !== 'allow'))
    throw refuse(rule, 'only a rule that allows a command says what it writes')
  for (const glob of rule.writes ?? []) compileWrites(rule, glob)
  if (rule.depth !== undefined && (rule.command === undefined || rule.verdict === 'allow'))
    throw refuse(rule, 'only a rule that asks or denies a command has a depth')
  let matcher: Matcher
  try {
    matcher = compileMatcher(rule)
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    throw refuse(rule, cause.message, cause.hint)
  }
  // A command is denied in every spelling, and allowed in its own only.
  const isGenerous = rule.command !== undefined && rule.verdict !== 'allow'
  const fits = (example: string): boolean =>
    isGenerous ? matcher.touches(example) === 'whole' : matcher.matches(example)
  for (const example of rule.match ?? [])
    if (!fits(example)) throw refuse(rule, `it should match '${example}' and does not`)
  for (const example of rule.notMatch ?? [])
    if (fits(example)) throw refuse(rule, `it should not match '${example}' and does`)
  return { ...rule, matcher }
}

function compileWrites(rule: Rule, glob: string): void {
  try {
    compileGlob(glob)
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    throw refuse(rule, `what it writes: ${cause.message}`, cause.hint)
  }
}

const refuse = (rule: Rule, what: string, hint = 'mend or remove the rule'): ToolError =>
  new ToolError('invalid_input', `Rule '${rule.id}' is refused: ${what}`, {
    hint,
    details: { rule: rule.id, source: rule.source },
  })
