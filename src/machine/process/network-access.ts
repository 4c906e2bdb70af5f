import type { Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import type { RunFacts } from '../../kernel/run-facts.ts'
import { OWN_NAMES } from './sandbox/forwarder.ts'
import type { NetworkSpec } from './sandbox/types.ts'
import type { CommandParts, CommandPlace, Ready } from './command-place.ts'

interface NetworkAccess {
  readonly network: NetworkSpec
  readonly decisions: NonNullable<RunFacts['net']>
  close(): Promise<void>
}

const MOST_DECISIONS = 100

/** Opens the proxy for the granted hosts. Returns undefined, for no network, if no host was granted. */
export async function openNetworkAccess(
  parts: CommandParts,
  place: CommandPlace,
  { scratch }: Ready,
): Promise<NetworkAccess | undefined> {
  const claims = place.claims.filter(({ action }: Claim) => action === 'net')
  const grantedOrigins = new Set(claims.map(({ resource }) => resource))
  if (grantedOrigins.size === 0 || (parts.network === 'none' && claims.every(({ standing }) => standing)))
    return undefined
  if (parts.network === 'none')
    throw new ToolError('unavailable', 'There is no network here', {
      hint: 'Deterministic mode reaches no host; run the call without it',
    })
  const [{ startProxy }, { systemNetwork }] = await Promise.all([
    import('./proxy/start-proxy.ts'),
    import('../web/network.ts'),
  ])
  const decisions: { origin: string; allowed: boolean; why?: string }[] = []
  const { uid, gid } = place.root.sys.fstat(place.root.fd)
  const isOthers = process.getuid?.() === 0 && uid !== 0n
  const proxy = await startProxy({
    directory: scratch,
    allows: origin => grantedOrigins.has(origin),
    egress: place.egress,
    network: parts.network === 'system' ? systemNetwork : parts.network,
    ...(isOthers && { owner: { uid: Number(uid), gid: Number(gid) } }),
    decided({ origin, allowed, why }) {
      if (decisions.length < MOST_DECISIONS) decisions.push({ origin, allowed, ...(why !== undefined && { why }) })
    },
  })
  const outside = OWN_NAMES.filter(name => [...grantedOrigins].some(origin => hostOf(origin) === name))
  return { network: { socket: proxy.socket, outside }, decisions, close: () => proxy.close() }
}

/** Warns about what a transaction cannot hold. */
export function sentWarning(decisions: NetworkAccess['decisions']): readonly string[] {
  const reachedOrigins = [...new Set(decisions.filter(({ allowed }) => allowed).map(({ origin }) => origin))]
  if (reachedOrigins.length === 0) return []
  return [`The command reached ${reachedOrigins.join(', ')}: what it sent there, such as a push, is not rolled back`]
}

/** Removes the brackets of an IPv6 address. */
const hostOf = (origin: string): string | undefined => URL.parse(origin)?.hostname.replaceAll(/^\[|\]$/g, '')
