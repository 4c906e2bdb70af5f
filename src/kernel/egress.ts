import type { Target } from './target.ts'

/** What the rules say about reaching out, asked by whatever opens a connection. */
export interface Egress {
  /** What policy says about an origin by its name. */
  verdict(origin: string): 'allow' | 'ask' | 'deny'
  /** Why nothing is sent to this target, or to this address that its name stands for; undefined if nothing is against it. */
  refuses(target: Target, address?: string): string | undefined
}
