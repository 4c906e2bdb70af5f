import type { Claim } from '../../kernel/claim.ts'
import type { Verdict } from './verdict.ts'

/** What policy says of what a call claims. */
export interface Decision {
  readonly verdict: Verdict
  /** For people: which claim, and what decided it. */
  readonly why: string
  /** The id of the rule that decided, of an allow the first; absent where a default did. */
  readonly rule?: string
  /** The claim that decided. */
  readonly claim?: Claim
  /** The narrowest permission that would allow the claim; absent where none can. */
  readonly missing?: string
  /** The permissions that other parts of the same command line need beside it. */
  readonly alsoMissing?: readonly string[]
  /** Only a person may answer this ask: no remembered approval does. */
  readonly always?: true
  /** Globs to leave out when a directory that was claimed for reading is walked. */
  readonly filters: readonly string[]
}
