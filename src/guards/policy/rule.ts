import type { Action } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { compileGlob } from '../glob.ts'
import { ensurePathSpelling } from './foreign-spelling.ts'
import { compileMatcher, type Matcher, type Target } from './matcher.ts'
import type { Verdict } from '../verdict.ts'

type RuleSource = 'builtin' | 'user' | 'project' | 'permission' | 'session'

/**
 * One rule of a policy. It has at most one of path, command, host and secret; none means every resource of the action.
 */
export interface Rule extends Target {
  readonly id: string
  readonly verdict: Verdict
  readonly why?: string | undefined
  readonly source: RuleSource
  /** Resources that the rule must match, and must not match; checked when it is loaded. */
  readonly match?: readonly string[] | undefined
  readonly notMatch?: readonly string[] | undefined
  /** No remembered approval answers its ask. */
  readonly always?: true | undefined
  /** Globs of what an allowed command may change without a question; empty if it may change nothing. */
  readonly writes?: readonly string[] | undefined
  /** `line`: applies to what the line itself starts, not to what programs start in turn. */
  readonly depth?: 'line' | undefined
  /** The rule only adds strictness: unlike a user's rule, it does not replace the default. */
  readonly narrows?: true | undefined
}

export interface CompiledRule extends Rule {
  readonly matcher: Matcher
}

/** Rules that passed their own examples, grouped by the actions they apply to. */
export interface CompiledRules {
  readonly all: readonly CompiledRule[]
  readonly byAction: Readonly<Record<Action, readonly CompiledRule[]>>
}

const MAX_RULES = 1_000
const ACTIONS: readonly Action[] = ['read', 'create', 'write', 'exec', 'net', 'reveal']

/** Checks and compiles rules and their examples; throws `invalid_input` naming the rule and its problem. */
export function compileRules(rules: readonly Rule[]): CompiledRules {
  if (rules.length > MAX_RULES)
    throw new ToolError('invalid_input', `A policy has at most ${MAX_RULES} rules, not ${rules.length}`)
  const usedIds = new Set<string>()
  const all = rules.map(rule => {
    if (usedIds.has(rule.id)) throw refuse(rule, 'another rule has the same id')
    usedIds.add(rule.id)
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
    matcher = compileMatcher(rule, rule.verdict !== 'allow')
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    throw refuse(rule, cause.message, cause.hint, cause.details)
  }
  // A deny covers every spelling of a resource, an allow only its own.
  const matchesExample = (example: string): boolean =>
    rule.verdict === 'allow' ? matcher.matches(example) : matcher.touches(example) === 'whole'
  for (const example of rule.match ?? [])
    if (!matchesExample(example)) throw refuse(rule, `it should match '${example}' and does not`)
  for (const example of rule.notMatch ?? [])
    if (matchesExample(example)) throw refuse(rule, `it should not match '${example}' and does`)
  return { ...rule, matcher }
}

function compileWrites(rule: Rule, glob: string): void {
  try {
    ensurePathSpelling(glob)
    compileGlob(glob)
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    throw refuse(rule, `what it writes: ${cause.message}`, cause.hint)
  }
}

const refuse = (rule: Rule, what: string, hint = 'fix or remove the rule', details?: ToolError['details']): ToolError =>
  new ToolError('invalid_input', `Rule '${rule.id}' is refused: ${what}`, {
    hint,
    details: { ...details, rule: rule.id, source: rule.source },
  })
