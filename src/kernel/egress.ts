import type { Target } from './target.ts'

/** The rules for outgoing connections. Every opener of a connection asks them. */
export interface Egress {
  /** Returns the policy's verdict on an origin by its name. */
  verdict(origin: string): 'allow' | 'ask' | 'deny'
  /** Returns why nothing may be sent to this target, or to this address of its name; undefined if it may. */
  refuses(target: Target, address?: string): string | undefined
}
