import type { Hides } from '../../kernel/hides.ts'
import type { IndexEngine } from '../index/types.ts'
import type { Root } from '../workspace/root.ts'
import type { Staging } from '../workspace/staging.ts'
import type { Servers } from './servers/types.ts'

/** What code understanding is opened over for one call. */
export interface CodeParts {
  readonly root: Root
  /** Answers are about the workspace as it would be after a commit. */
  readonly staging: Staging
  readonly mayRead: (path: string) => boolean
  /** Everything that may not be read; nothing unless given. */
  readonly unreadable?: Hides | undefined
  readonly index: IndexEngine
  readonly servers: Servers
  /** Where what is known of single files is kept; nowhere unless given. */
  readonly directory?: string
}
