import { ToolError } from '../../kernel/error.ts'

/** A refusal by rule: a retry gives the same result. */
export const webRefusal = (what: string, hint?: string): ToolError =>
  new ToolError('denied', `Refused: ${what}`, { ...(hint !== undefined && { hint }), details: { reason: what } })

/**
 * A failure of the network or of the server; `reason` is the short form for contracts that print their own sentence.
 */
export const fetchFailure = (reason: string, origin: string, cause?: unknown): ToolError =>
  new ToolError('io', `Failed to fetch from ${origin}: ${reason}`, {
    hint: 'Check the address, or try again later',
    details: { reason },
    ...(cause !== undefined && { cause }),
  })

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the name could not be looked up',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  ENETUNREACH: 'network unreachable',
  EHOSTUNREACH: 'host unreachable',
  ETIMEDOUT: 'connection timed out',
  EPIPE: 'connection closed',
  HPE_HEADER_OVERFLOW: 'the header of the answer is too large',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

/** Describes a lower-level failure, in our words if known. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown failure'
  const code: unknown = Reflect.get(cause, 'code')
  if (typeof code !== 'string') return cause.message
  if (code.startsWith('HPE_')) return REASONS[code] ?? 'the answer is not HTTP'
  return REASONS[code] ?? code
}
