import type { Egress } from '../../kernel/egress.ts'
import type { Target } from '../../kernel/target.ts'
import type { Network } from './network.ts'
import { failed, reasonOf, refused } from './web-error.ts'

/**
 * Returns the addresses for a target, all judged. Looks a name up twice, and refuses it for one bad address in either
 * result: a name that sometimes leads to the internal network is unsafe.
 */
export async function resolveTarget(network: Network, egress: Egress, target: Target): Promise<readonly string[]> {
  const bar = egress.refuses(target)
  if (bar !== undefined) throw refused(bar, hintFor(bar, target.host, target))
  const answers = target.isAddress ? [[target.host]] : await askTwice(network, target)
  for (const address of answers.flat()) {
    const why = egress.refuses(target, address)
    if (why !== undefined) throw refused(why, hintFor(why, address, target))
  }
  const [addresses = []] = answers
  if (addresses.length === 0) throw failed('no such host', target.origin)
  return [...new Set(addresses)]
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
    throw failed(reasonOf(cause), target.origin, cause)
  }
}
