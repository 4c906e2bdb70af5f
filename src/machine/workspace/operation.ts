import type { Identity } from './workspace.ts'

/** Required state on disk for an operation: nothing, or exactly this file. */
export type Base = 'absent' | Identity

/** One step of a commit. Paths are canonical: workspace-relative, forward slashes, no link on the way. */
export type Operation =
  | {
      readonly kind: 'put'
      readonly path: string
      readonly bytes: Buffer
      /** sha256 of the bytes, if it is known already. */
      readonly hash?: string
      readonly mode: number
      readonly base: Base
    }
  | { readonly kind: 'delete'; readonly path: string; readonly base: Identity }
  | {
      readonly kind: 'move'
      readonly from: string
      readonly to: string
      readonly base: Identity
      readonly mode?: number
    }
  | { readonly kind: 'mode'; readonly path: string; readonly mode: number; readonly base: Identity }
  | { readonly kind: 'mkdir'; readonly path: string; readonly mode: number }
  | { readonly kind: 'rmdir'; readonly path: string }
