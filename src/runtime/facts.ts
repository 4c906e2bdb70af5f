import { namedOrigins } from '../guards/egress/named-origins.ts'
import type { Facts } from '../kernel/claim.ts'
import type { Session } from './session.ts'

/** What claims may depend on: what the machine knows, and what the user has opened to every command. */
export const factsOf = <Engines>({ machine, policy }: Pick<Session<Engines>, 'machine' | 'policy'>): Facts => ({
  ...machine.facts,
  namedOrigins: () => namedOrigins(policy),
})
