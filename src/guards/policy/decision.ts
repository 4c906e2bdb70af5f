import type { Claim } from '../../kernel/claim.ts'
import type { ToolError } from '../../kernel/error.ts'
import type { Verdict } from '../verdict.ts'

/** The policy's decision on a call's claims. */
export interface Decision {
  readonly verdict: Verdict
  /** For people: which claim, and what decided it. */
  readonly why: string
  /** The id of the rule that decided, the first one of an allow; absent if a default decided. */
  readonly rule?: string
  /** The claim that decided. */
  readonly claim?: Claim
  /** The narrowest permission that would allow the claim; absent if none can. */
  readonly missing?: string
  /** The permissions that other parts of the same command line need as well. */
  readonly alsoMissing?: readonly string[]
  /** Only a person may answer: no remembered approval does. */
  readonly always?: true
  /** Why the call cannot be made: an unknown tool, invalid input, a path outside. */
  readonly error?: ToolError
  /** Globs to leave out when walking a directory that was claimed for reading. */
  readonly filters: readonly string[]
}
