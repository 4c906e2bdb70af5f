import type { CallScope } from '../../machine/workspace/call-scope.ts'
import type { IndexEngine } from '../index/types.ts'
import type { SearchEngine } from '../search/types.ts'
import type { Servers } from './servers/types.ts'

/** What code understanding is opened over for one call. */
export interface CodeParts
  extends Pick<CallScope, 'root' | 'staging' | 'mayRead'>, Partial<Pick<CallScope, 'unreadable'>> {
  readonly index: IndexEngine
  readonly servers: Servers
  /** Finds the files that write a name. */
  readonly search: Pick<SearchEngine, 'grep'>
  /** Where what is known of single files is kept; nowhere unless given. */
  readonly directory?: string
}
