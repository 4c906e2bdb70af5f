import type { Action, Claim } from '../../kernel/claim.ts'
import type { GitHistory } from '../../kernel/git-history.ts'
import type { Protection } from './builtin.ts'
import type { Decision } from './decision.ts'
import { permissionRules } from './permission.ts'
import { compileRules, type CompiledRules, type Rule } from './rule.ts'
import type { Verdict } from './verdict.ts'

/** What is allowed, asked and denied; an action without a default and without a rule is asked. */
export interface Policy {
  readonly defaults: Partial<Readonly<Record<Action, Verdict>>>
  readonly rules: CompiledRules
  readonly protection?: Protection
  /** What the repository's history holds; handed in, since nothing here may look. */
  readonly history?: GitHistory
  /** Reading a file that holds secrets asks where no rule opens it, whatever the default. */
  readonly asksForSecrets?: boolean
  /** Origins of repositories that the user's own configuration names: reading them there is not asked about. */
  readonly repositories?: readonly string[]
  /** The policy is a list of allowed commands: whose, so that a refusal can name it. */
  readonly allowList?: AllowList
  /** A policy whose verdict counts as well: a child never gets more than its parent has. */
  readonly within?: Policy
}

/** The list that refuses a command because it is not on it. */
interface AllowList {
  readonly rule: string
  readonly why: string
}

/** Read-only calls are allowed, everything else asks. */
export const DEFAULT_VERDICTS: Readonly<Record<Action, Verdict>> = {
  read: 'allow',
  create: 'ask',
  write: 'ask',
  exec: 'ask',
  net: 'ask',
  reveal: 'ask',
}

/** Least power: what no permission grants is denied, and the refusal names the permission. */
export const NO_POWER: Readonly<Record<Action, Verdict>> = {
  read: 'deny',
  create: 'deny',
  write: 'deny',
  exec: 'deny',
  net: 'deny',
  reveal: 'deny',
}

export interface PolicyParts {
  readonly defaults?: Policy['defaults']
  readonly rules?: readonly Rule[]
  /** Permission strings such as `fs:write:src/**`; each allows what it says. */
  readonly permissions?: readonly string[]
  readonly protection?: Protection
  readonly repositories?: readonly string[]
  /** True unless given. */
  readonly asksForSecrets?: boolean
  readonly allowList?: AllowList
  readonly within?: Policy
}

/** Puts a policy together and checks it; throws `invalid_input` naming the rule or permission that is wrong. */
export function makePolicy({
  defaults = DEFAULT_VERDICTS,
  rules = [],
  permissions = [],
  protection,
  repositories,
  asksForSecrets = true,
  allowList,
  within,
}: PolicyParts = {}): Policy {
  return {
    defaults,
    asksForSecrets,
    rules: compileRules([...rules, ...permissionRules(permissions)]),
    ...(protection && { protection }),
    ...(repositories && { repositories }),
    ...(allowList && { allowList }),
    ...(within && { within }),
  }
}

const listings = new WeakMap<Policy, Policy>()

/** The policy for names alone: what a file is called is no secret, whatever it holds. The same for the same policy. */
export function listingPolicy(policy: Policy): Policy {
  const known = listings.get(policy)
  if (known) return known
  const { within, ...own } = policy
  const listing = { ...own, asksForSecrets: false, ...(within && { within: listingPolicy(within) }) }
  listings.set(policy, listing)
  return listing
}

/**
 * Lets the user's own configuration of a repository grant reading it. A rule that asks or denies is the user's word, too,
 * and so is a default that denies.
 */
export function withNamedRepository({ repositories }: Policy, claim: Claim, decision: Decision): Decision {
  const isNamed = claim.repository === true && repositories?.includes(claim.resource) === true
  if (!isNamed || decision.verdict !== 'ask' || decision.rule !== undefined) return decision
  const why = `net ${claim.resource}: your configuration names a repository there`
  return { verdict: 'allow', why, rule: 'builtin:repository', claim, filters: [] }
}
