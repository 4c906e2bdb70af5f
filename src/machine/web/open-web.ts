import type { Claim } from '../../kernel/claim.ts'
import type { Egress } from '../../kernel/egress.ts'
import { ToolError } from '../../kernel/error.ts'
import { readTarget, type Target } from '../../kernel/target.ts'
import { createNetGrant } from './net-grant.ts'
import type { Network } from './network.ts'
import type { WebEngine } from './types.ts'
import { webRefusal } from './web-error.ts'

interface WebParts {
  readonly claims: readonly Claim[]
  /** `none` in deterministic mode; `system` is loaded on first use. */
  readonly network: Network | 'system' | 'none'
  readonly egress: Egress
}

/** The web for one call: claimed origins, and by redirect those that policy allows without approval. */
export function openWeb({ claims, network, egress }: WebParts): WebEngine {
  const isGranted = createNetGrant(claims)
  const bars = (to: Target, from: Target): string | undefined => {
    if (isGranted(to.origin)) return undefined
    const verdict = egress.verdict(to.origin)
    if (verdict === 'allow' || (verdict === 'ask' && isUpgrade(to, from))) return undefined
    return `${new URL(to.origin).host} is not allowed${verdict === 'ask' ? ' without asking' : ''}`
  }
  return {
    async fetch(request, signal) {
      const { origin } = readTarget(request.url)
      if (!isGranted(origin)) throw webRefusal(`${origin} was not claimed`)
      if (network === 'none')
        throw new ToolError('unavailable', 'There is no network here', {
          hint: 'Deterministic mode reaches no host; run the call without it',
        })
      const { fetchUrl } = await import('./fetch.ts')
      return fetchUrl(request, { network: await loadNetwork(network), egress, bars, signal })
    },
  }
}

const loadNetwork = async (network: Network | 'system'): Promise<Network> =>
  network === 'system' ? (await import('./network.ts')).systemNetwork : network

/** The same host with TLS counts as the requested one. */
const isUpgrade = (to: Target, from: Target): boolean =>
  to.host === from.host && from.protocol === 'http:' && from.port === 80 && to.protocol === 'https:' && to.port === 443
