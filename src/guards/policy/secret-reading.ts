import type { SecretReading } from '../../kernel/secret-files.ts'
import { levelsOf } from './hidden.ts'
import type { Policy } from './policy.ts'
import type { CompiledRule } from './rule.ts'

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

/** Reports whether a rule opens files that hold secrets: no file of a repository does, trusted or not. */
export const opensSecrets = ({ verdict, narrows, source }: CompiledRule): boolean =>
  verdict === 'allow' && narrows !== true && source !== 'project'

const readings = new WeakMap<Policy, SecretReading>()

/** How many of the files that hold secrets a policy opens, before its other rules are asked about one of them. */
export function secretReading(policy: Policy): SecretReading {
  const known = readings.get(policy)
  if (known) return known
  const levels = levelsOf(policy)
    .filter(({ asksForSecrets }) => asksForSecrets)
    .map(({ rules }) => rules.byAction.read.filter(opensSecrets))
  const found = levels.some(openings => openings.length === 0)
    ? 'closed'
    : levels.every(openings => openings.some(({ matcher }) => matcher.covers('')))
      ? 'open'
      : 'some'
  readings.set(policy, found)
  return found
}
