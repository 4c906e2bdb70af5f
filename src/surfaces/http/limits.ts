/** What one request may take. */
export interface HttpLimits {
  /** Bytes of a body. */
  readonly bodyBytes: number
  /** Bytes of all headers of a request. */
  readonly headerBytes: number
  /** Time until all headers are there. */
  readonly headersMs: number
  /** Time until the whole request is there; its answer may take longer. */
  readonly requestMs: number
  /** Time that a connection may stay without a request. */
  readonly idleMs: number
  readonly connections: number
  /** Time that calls in flight get when the server stops. */
  readonly stopMs: number
  /** Time that an MCP call runs on whose client left, and may come back for the answer. */
  readonly resumeMs: number
  readonly mcpSessions: number
  /** Time that an MCP session lives that no one uses; its client then begins another. */
  readonly sessionIdleMs: number
}

export const LIMITS: HttpLimits = {
  bodyBytes: 32 << 20,
  headerBytes: 16 << 10,
  headersMs: 10_000,
  requestMs: 60_000,
  idleMs: 65_000,
  connections: 4096,
  stopMs: 10_000,
  resumeMs: 10_000,
  mcpSessions: 256,
  sessionIdleMs: 60 * 60_000,
}
