import type { Claim } from '../../kernel/claim.ts'
import { readTarget } from '../../kernel/target.ts'

/** Reports whether a call's claims name an origin; `host:port` matches both http and https. */
export function createNetGrant(claims: readonly Claim[]): (origin: string) => boolean {
  const origins = new Set<string>()
  for (const { action, resource } of claims) {
    if (action !== 'net') continue
    if (resource.includes('://')) origins.add(readTarget(resource).origin)
    else for (const scheme of ['https', 'http']) origins.add(readTarget(`${scheme}://${resource}`).origin)
  }
  return origin => origins.has(origin)
}
