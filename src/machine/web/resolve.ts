import type { Claim } from '../../kernel/claim.ts'
import type { Egress } from '../../kernel/egress.ts'
import { readTarget, type Target } from '../../kernel/target.ts'
import type { Network } from './network.ts'
import { fetchFailure, reasonOf, webRefusal } from './web-error.ts'

/**
 * Returns the addresses for a target, all judged. Looks a name up twice, and refuses it for one bad address in either
 * result: a name that sometimes leads to the internal network is unsafe.
 */
export async function resolveTarget(network: Network, egress: Egress, target: Target): Promise<readonly string[]> {
  ensureOpen(egress, target)
  const answers = target.isAddress ? [[target.host]] : await askTwice(network, target)
  for (const address of answers.flat()) ensureOpen(egress, target, address)
  const [addresses = []] = answers
  if (addresses.length === 0) throw fetchFailure('no such host', target.origin)
  return [...new Set(addresses)]
}

/** Throws if a claimed origin can never be reached, as far as that is known without a name server. */
export function ensureReachable(egress: Egress, claims: readonly Claim[]): void {
  for (const { action, resource, repository } of claims) {
    // The user's own configuration names servers of repositories.
    if (action !== 'net' || repository === true || !resource.includes('://')) continue
    const target = readTarget(resource)
    ensureOpen(egress, target)
    if (target.isAddress) ensureOpen(egress, target, target.host)
    else if (/(^|\.)localhost$/.test(target.host)) ensureOpen(egress, target, '127.0.0.1')
  }
}

function ensureOpen(egress: Egress, target: Target, address?: string): void {
  const why = egress.refuses(target, address)
  if (why !== undefined) throw webRefusal(why, hintFor(why, address ?? target.host, target))
}

/** Names the permission that would open this place; none opens a denied one. */
function hintFor(why: string, place: string, { port }: Target): string {
  if (why.endsWith('denied by a rule')) return 'A rule of the user forbids it; do without it'
  const host = place.includes(':') && !place.startsWith('[') ? `[${place}]` : place
  return `If intended, have the user grant the permission 'net:${host}:${port}'`
}

async function askTwice(network: Network, target: Target): Promise<readonly (readonly string[])[]> {
  try {
    return await Promise.all([network.lookup(target.host), network.lookup(target.host)])
  } catch (cause) {
    throw fetchFailure(reasonOf(cause), target.origin, cause)
  }
}
