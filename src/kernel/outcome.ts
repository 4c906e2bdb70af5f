import type { Claim } from './claim.ts'
import type { EditEffects, LateEffects } from './edit-effects.ts'
import type { ToolError } from './error.ts'

/** Facts about a call besides its answer. */
export interface Meta {
  readonly id: string
  readonly startedAt: string
  readonly endedAt: string
  readonly durationMs: number
  /** Milliseconds of the call that a person took to answer, if one was asked. */
  readonly askedMs?: number
  readonly claims: readonly Claim[]
  /** Paths that the call changed, or would have changed in a dry run. */
  readonly changed: readonly string[]
  readonly dryRun?: true
  /** The unified diff of what a dry run would have changed. */
  readonly diff?: string
  /** Pass this to the same call: it does exactly what the dry run showed, or answers `conflict`. */
  readonly plan?: string
  /** Pass this to undo. */
  readonly undo?: string
  /** The transaction that holds the change until it is committed. */
  readonly transaction?: string
  /** The stored whole of an answer that was cut: `ref:ID`, with its size before the cut. */
  readonly ref?: string
  readonly bytes?: number
  /** The cursor for the rest, if the answer itself has no place for it. */
  readonly nextCursor?: string
  readonly warnings?: readonly string[]
  /** The best past fix of what failed, in one line. Its quoted text is data. */
  readonly hint?: string
  /** What the change breaks and repairs, if effects are reported. */
  readonly effects?: EditEffects
  /** Effects of the session's earlier changes that became known since the last answer. */
  readonly lateEffects?: readonly LateEffects[]
}

/** How a call ended: with the data of its tool, or with an error. */
export type Outcome<T = unknown> =
  | { readonly ok: true; readonly data: T; readonly meta: Meta }
  | { readonly ok: false; readonly error: ToolError; readonly meta: Meta }
