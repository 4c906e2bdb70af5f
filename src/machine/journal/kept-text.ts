import type { Claim, KeptOrigin } from '../../kernel/claim.ts'
import { referenceId } from '../../kernel/reference.ts'
import type { Payloads } from './payloads.ts'

/** A text stored beside the journal, and the call that it comes from. */
interface KeptText {
  readonly text: Buffer
  /** `unknown` for a text that an older version stored. */
  readonly origin: KeptOrigin | 'unknown'
}

/** The first line of a stored text names its call. Another format gets another number. */
const MARK = 'toolwright kept text 1 '

/** Returns the bytes to store: the call is part of them, so it is also part of their name. */
export const keptText = (text: string, origin: KeptOrigin): string => `${MARK}${JSON.stringify(origin)}\n${text}`

/** The same for bytes. */
export const keptBytes = (bytes: Buffer, origin: KeptOrigin): Buffer =>
  Buffer.concat([Buffer.from(keptText('', origin)), bytes])

/** Returns a stored text; undefined if nothing is stored under the id. */
export function readKept(payloads: Pick<Payloads, 'get'>, id: string): KeptText | undefined {
  const bytes = payloads.get(id)
  if (!bytes) return undefined
  const end = bytes.indexOf('\n')
  const line = end === -1 ? '' : bytes.toString('utf8', 0, end)
  const origin = line.startsWith(MARK) ? originIn(line.slice(MARK.length)) : undefined
  return origin ? { text: bytes.subarray(end + 1), origin } : { text: bytes, origin: 'unknown' }
}

/** Adds to claims on stored texts the calls that they come from. Only the session itself keeps what is its own. */
export function withOrigins(
  payloads: Pick<Payloads, 'get'>,
  session: string,
  claims: readonly Claim[],
): readonly Claim[] {
  if (!claims.some(isOnReference)) return claims
  return claims.map(claim => {
    const storedText = isOnReference(claim) ? readKept(payloads, referenceId(claim.resource) ?? '') : undefined
    if (!storedText) return claim
    if (storedText.origin === 'unknown' || storedText.origin.own?.session === session)
      return { ...claim, origin: storedText.origin }
    const { own: _, ...origin } = storedText.origin
    return { ...claim, origin }
  })
}

const isOnReference = ({ action, resource }: Claim): boolean => action === 'read' && referenceId(resource) !== undefined

function originIn(json: string): KeptOrigin | undefined {
  try {
    const origin: KeptOrigin = JSON.parse(json)
    return Array.isArray(origin.claims) && Array.isArray(origin.limits.rules) ? origin : undefined
  } catch {
    return undefined
  }
}
