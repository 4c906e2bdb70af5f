import type { Claim } from './claim.ts'
import type { EditEffects, LateEffects } from './edit-effects.ts'
import type { ToolError } from './error.ts'

/** What is known of a call besides its answer. */
export interface Meta {
  readonly id: string
  readonly startedAt: string
  readonly endedAt: string
  readonly durationMs: number
  /** How much of it a person took to answer, where one was asked. */
  readonly askedMs?: number
  readonly claims: readonly Claim[]
  /** Paths that the call changed, or would have changed in a dry run. */
  readonly changed: readonly string[]
  readonly dryRun?: true
  /** The unified diff of what a dry run would have changed. */
  readonly diff?: string
  /** Hand this to the same call, and it does exactly what the dry run showed or answers `conflict`. */
  readonly plan?: string
  /** Give this to undo. */
  readonly undo?: string
  /** The transaction that holds the change until it is committed. */
  readonly transaction?: string
  /** Where the whole answer is kept when it was cut: `ref:ID`, with its size before the cut. */
  readonly ref?: string
  readonly bytes?: number
  /** What asks for the rest, where the answer itself has no place for it. */
  readonly nextCursor?: string
  readonly warnings?: readonly string[]
  /** What the change breaks and mends, where that is told. */
  readonly effects?: EditEffects
  /** What became known of earlier changes of the session since the last answer. */
  readonly lateEffects?: readonly LateEffects[]
}

/** How a call ended: with the data of its tool, or with an error. */
export type Outcome<T = unknown> =
  | { readonly ok: true; readonly data: T; readonly meta: Meta }
  | { readonly ok: false; readonly error: ToolError; readonly meta: Meta }
