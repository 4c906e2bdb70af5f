import type { Egress } from '../../../kernel/egress.ts'
import type { Network } from '../../web/network.ts'

/** One request of a command for a host, and the decision. */
export interface ProxyDecision {
  readonly method: string
  /** `https://host`, or the requested text if it is not an origin. */
  readonly origin: string
  readonly allowed: boolean
  /** Reason of a refusal. */
  readonly why?: string
}

export interface ProxyOptions {
  /** Directory for the socket; private to us. */
  readonly directory: string
  /** Reports whether the command was granted this origin. */
  readonly allows: (origin: string) => boolean
  readonly egress: Egress
  readonly network: Network
  /** User who may connect besides us, if the command runs as another user. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  readonly limits?: Partial<ProxyLimits>
  /** Called for every decision. */
  readonly decided?: (decision: ProxyDecision) => void
}

export interface ProxyLimits {
  readonly connections: number
  /** Limit for both directions and all connections. */
  readonly bytes: number
  /** Limit for name lookup and connection. */
  readonly connectMs: number
  /** Limit without a byte either way. */
  readonly idleMs: number
}

/** The only way out of a sandbox. It ends with its command. */
export interface Proxy {
  /** Unix socket on which it listens. */
  readonly socket: string
  close(): Promise<void>
}
