import { decide } from '../policy/decide.ts'
import type { Policy } from '../policy/policy.ts'

/**
 * Returns the origins that the user's own rules and permissions allow by name. A command may reach them without naming
 * them.
 */
export function namedOrigins(policy: Policy): readonly string[] {
  return [...new Set(hostsIn(policy).flatMap(originsOf))].filter(
    resource => decide(policy, [{ action: 'net', resource }]).verdict === 'allow',
  )
}

const hostsIn = ({ rules, within }: Policy): readonly string[] => [
  ...rules.byAction.net.flatMap(({ verdict, source, host }) =>
    verdict === 'allow' && source !== 'project' && host !== undefined && !host.includes('*') ? [host] : [],
  ),
  ...(within ? hostsIn(within) : []),
]

const originsOf = (host: string): readonly string[] =>
  (host.includes('://') ? [host] : [`https://${host}`, `http://${host}`]).flatMap(url => URL.parse(url)?.origin ?? [])
