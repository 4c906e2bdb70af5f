import type { Action } from '../../kernel/claim.ts'
import type { GitHistory } from '../../kernel/git-history.ts'
import type { Protection } from './builtin.ts'
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
  /** A policy whose verdict counts as well: a child never gets more than its parent has. */
  readonly within?: Policy
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
  /** True unless given. */
  readonly asksForSecrets?: boolean
  readonly within?: Policy
}

/** Puts a policy together and checks it; throws `invalid_input` naming the rule or permission that is wrong. */
export function makePolicy({
  defaults = DEFAULT_VERDICTS,
  rules = [],
  permissions = [],
  protection,
  asksForSecrets = true,
  within,
}: PolicyParts = {}): Policy {
  return {
    defaults,
    asksForSecrets,
    rules: compileRules([...rules, ...permissionRules(permissions)]),
    ...(protection && { protection }),
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
