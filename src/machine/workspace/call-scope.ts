import type { Claim } from '../../kernel/claim.ts'
import type { OpenOptions } from '../../kernel/open-options.ts'
import type { Root } from './root.ts'
import type { Staging } from './staging.ts'

/** Claims and staged changes of one call. Every engine of the call is opened over this. */
export interface CallScope extends OpenOptions {
  readonly root: Root
  readonly claims: readonly Claim[]
  /** Engines see the workspace as it would be after a commit. */
  readonly staging: Staging
}
