import type { Egress } from '../../kernel/egress.ts'
import type { Target } from '../../kernel/target.ts'
import type { Network } from './network.ts'
import { failed, reasonOf, refused } from './web-error.ts'

/**
 * The addresses that a target may be connected at, every one of them judged. A name is asked for twice, and one bad address
 * in either answer refuses it: a name that stands for the inside now and then is no name to connect to.
 */
export async function resolveTarget(network: Network, egress: Egress, target: Target): Promise<readonly string[]> {
  const bar = egress.refuses(target)
  if (bar !== undefined) throw refused(bar, HINT)
  const answers = target.isAddress ? [[target.host]] : await askTwice(network, target)
  for (const address of answers.flat()) {
    const why = egress.refuses(target, address)
    if (why !== undefined) throw refused(why, HINT)
  }
  const [addresses = []] = answers
  if (addresses.length === 0) throw failed('no such host', target.origin)
  return [...new Set(addresses)]
}

const HINT =
  "If it is meant, have the user add that rule to the policy, for example the permission 'net:127.0.0.1:8080'"

async function askTwice(network: Network, target: Target): Promise<readonly (readonly string[])[]> {
  try {
    return await Promise.all([network.lookup(target.host), network.lookup(target.host)])
  } catch (cause) {
    throw failed(reasonOf(cause), target.origin, cause)
  }
}
