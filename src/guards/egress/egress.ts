import type { Egress } from '../../kernel/egress.ts'
import type { Target } from '../../kernel/target.ts'
import { decide } from '../policy/decide.ts'
import type { Policy } from '../policy/policy.ts'
import type { CompiledRule } from '../policy/rule.ts'
import { whyNotGlobal } from './address.ts'
import { isWebPort } from './port.ts'

/** Returns a policy's rules for the network. */
export const egressOf = (policy: Policy): Egress => ({
  verdict: origin => decide(policy, [{ action: 'net', resource: origin }]).verdict,
  refuses: (target, address) =>
    address === undefined ? refusesPort(policy, target) : refusesAddress(policy, target, address),
})

function refusesPort(policy: Policy, { origin, host, port, isNamed: isConfigured }: Target): string | undefined {
  if (isConfigured || isWebPort(port) || isNamed(policy, origin, hasPort)) return undefined
  return `port ${port} of ${host} is not a web port; only a rule that names ${withPort(host, port)} opens it`
}

function refusesAddress(policy: Policy, target: Target, address: string): string | undefined {
  const place = withPort(address, target.port)
  const direct = `${target.protocol}//${place}`
  const addressText = address === target.host ? address : `${target.host} resolves to ${address}, which`
  if (isDenied(policy, direct)) return `${addressText} is denied by a rule`
  const kind = whyNotGlobal(address)
  if (target.isNamed && INSIDE.has(kind)) return undefined
  if (kind === undefined || isNamed(policy, direct, isPlain) || isNamedLocalhost(policy, target, address))
    return undefined
  return `${addressText} is ${kind}, and only a rule that names ${place} opens it`
}

/** Where a server that the configuration names may be. Metadata of a cloud is never meant. */
const INSIDE: ReadonlySet<string | undefined> = new Set(['loopback', 'private', 'shared by a carrier'])

/**
 * Reports whether the user names this origin. A pattern such as `*` does not mean the machine's inside, and a project
 * does not speak for the user.
 */
const isNamed = (policy: Policy, origin: string, names: (rule: CompiledRule) => boolean): boolean =>
  policy.rules.byAction.net.some(
    rule => rule.verdict === 'allow' && rule.source !== 'project' && names(rule) && rule.matcher.matches(origin),
  ) &&
  (policy.within === undefined || isNamed(policy.within, origin, names))

/** Naming localhost means this machine. */
const isNamedLocalhost = (policy: Policy, { host, origin }: Target, address: string): boolean =>
  /(^|\.)localhost$/.test(host) && (address === '127.0.0.1' || address === '::1') && isNamed(policy, origin, isPlain)

/** A denied address stays denied under every name. */
const isDenied = (policy: Policy, origin: string): boolean =>
  policy.rules.byAction.net.some(
    rule => rule.verdict === 'deny' && isPlain(rule) && rule.matcher.touches(origin) === 'whole',
  ) ||
  (policy.within !== undefined && isDenied(policy.within, origin))

const isPlain = ({ host }: CompiledRule): boolean => host !== undefined && !host.includes('*')

const hasPort = ({ host }: CompiledRule): boolean => host !== undefined && /:\d+$/.test(host)

const withPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
