/** What a tool may do to the machine; a tool's `effects` are an upper bound in these words. */
export type Effect = 'read' | 'create' | 'write' | 'exec' | 'net'

/** `reveal` is claimed by the runtime alone, once for each secret that a call's input names. */
export type Action = Effect | 'reveal'

/**
 * What one call wants to touch, stated before it touches it; once decided, it is also the grant.
 * The resource is a path for read, create and write, a command line for exec, an origin for net, a key for reveal.
 */
export interface Claim {
  readonly action: Action
  readonly resource: string
  /** The name itself is meant, not what a link of that name points to (delete, move). */
  readonly link?: true
}

export const reads = (...paths: readonly string[]): Claim[] => paths.map(resource => ({ action: 'read', resource }))
export const creates = (...paths: readonly string[]): Claim[] => paths.map(resource => ({ action: 'create', resource }))
export const writes = (...paths: readonly string[]): Claim[] => paths.map(resource => ({ action: 'write', resource }))

/** What a call's claims may depend on besides its input. */
export interface Facts {
  /** Paths that undoing this commit (default: the newest) would touch. */
  undoPaths(id?: string): readonly string[]
}
