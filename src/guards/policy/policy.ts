import type { Action, Claim } from '../../kernel/claim.ts'
import type { GitHistory } from '../../kernel/git-history.ts'
import type { PlaceNames } from '../../kernel/place-names.ts'
import type { Protection } from './builtin.ts'
import type { Decision } from './decision.ts'
import { permissionRules } from './permission.ts'
import { compileRules, type CompiledRules, type Rule } from './rule.ts'
import type { Verdict } from '../verdict.ts'

/** What is allowed, asked and denied. An action without a default and without a rule asks. */
export interface Policy {
  readonly defaults: Partial<Readonly<Record<Action, Verdict>>>
  readonly rules: CompiledRules
  readonly protection?: Protection
  /** The repository's history, passed in because guards do no I/O. */
  readonly history?: GitHistory
  /** What leads to a path besides its name; passed in like the history. */
  readonly places?: PlaceNames
  /** Reading a file that holds secrets asks unless a rule opens it, whatever the default. */
  readonly asksForSecrets?: boolean
  /** Origins of repositories that the user's own configuration names; reading them there needs no approval. */
  readonly repositories?: readonly string[]
  /** Set if the policy is a list of allowed commands: its owner, so that a refusal can name it. */
  readonly allowList?: AllowList
  /** An enclosing policy whose verdict counts as well: a child never gets more than its parent has. */
  readonly within?: Policy
}

/** The list that refuses commands that are not on it. */
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

/** Least power: everything that no permission grants is denied, and the refusal names the permission. */
export const NO_POWER: Readonly<Record<Action, Verdict>> = {
  read: 'deny',
  create: 'deny',
  write: 'deny',
  exec: 'deny',
  net: 'deny',
  reveal: 'deny',
}

/** For a policy that only adds strictness. */
export const ALL_ALLOWED: Readonly<Record<Action, Verdict>> = {
  read: 'allow',
  create: 'allow',
  write: 'allow',
  exec: 'allow',
  net: 'allow',
  reveal: 'allow',
}

export interface PolicyParts {
  readonly defaults?: Policy['defaults']
  readonly rules?: readonly Rule[]
  /** Permission strings such as `fs:write:src/**`; each allows what it says. */
  readonly permissions?: readonly string[]
  readonly protection?: Protection
  readonly repositories?: readonly string[]
  /** True by default. */
  readonly asksForSecrets?: boolean
  readonly allowList?: AllowList
  readonly within?: Policy
}

/** Combines and checks a policy; throws `invalid_input` naming the wrong rule or permission. */
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

/** Returns the policy, and those around it, as they judge by what else leads to a place. */
export const withPlaces = (policy: Policy, places: PlaceNames): Policy => ({
  ...policy,
  places,
  ...(policy.within && { within: withPlaces(policy.within, places) }),
})

const listings = new WeakMap<Policy, Policy>()

/** Returns the policy for names alone: the name of a file is no secret, whatever it holds. Cached for each policy. */
export function listingPolicy(policy: Policy): Policy {
  const cachedListing = listings.get(policy)
  if (cachedListing) return cachedListing
  const { within, ...ownPolicy } = policy
  const listing = { ...ownPolicy, asksForSecrets: false, ...(within && { within: listingPolicy(within) }) }
  listings.set(policy, listing)
  return listing
}

/**
 * Lets the user's own configuration of a repository grant reading it. A rule that asks or denies, or a default that
 * denies, is also the user's and takes precedence.
 */
export function withNamedRepository({ repositories }: Policy, claim: Claim, decision: Decision): Decision {
  const isNamed = claim.repository === true && repositories?.includes(claim.resource) === true
  if (!isNamed || decision.verdict !== 'ask' || decision.rule !== undefined) return decision
  const why = `net ${claim.resource}: your configuration names a repository there`
  return { verdict: 'allow', why, rule: 'builtin:repository', claim, filters: [] }
}
