import type { Egress } from '../../../kernel/egress.ts'
import type { Network } from '../../web/network.ts'

/** One request of a command for a host, and what became of it. */
export interface ProxyDecision {
  readonly method: string
  /** `https://host` or what was asked for, where that is none. */
  readonly origin: string
  readonly allowed: boolean
  /** Why not. */
  readonly why?: string
}

export interface ProxyOptions {
  /** Where the socket is made; a directory of ours that nobody else can enter. */
  readonly directory: string
  /** Reports whether the command was granted this origin. */
  readonly allows: (origin: string) => boolean
  readonly egress: Egress
  readonly network: Network
  /** Who may connect besides us, where the command runs as somebody else. */
  readonly owner?: { readonly uid: number; readonly gid: number }
  readonly limits?: Partial<ProxyLimits>
  /** Sees every decision as it is made. */
  readonly decided?: (decision: ProxyDecision) => void
}

export interface ProxyLimits {
  readonly connections: number
  /** Both ways, over all connections. */
  readonly bytes: number
  /** To find the address and connect. */
  readonly connectMs: number
  /** Without a byte either way. */
  readonly idleMs: number
}

/** The only way out of a sandbox; it ends with its command. */
export interface Proxy {
  /** The unix socket that it listens on. */
  readonly socket: string
  close(): Promise<void>
}
