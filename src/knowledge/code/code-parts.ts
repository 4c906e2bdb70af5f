import type { CallScope } from '../../machine/workspace/call-scope.ts'
import type { IndexEngine } from '../index/types.ts'
import type { SearchEngine } from '../search/types.ts'
import type { Servers } from './servers/types.ts'

/** The parts that code understanding needs for one call. */
export interface CodeParts
  extends Pick<CallScope, 'root' | 'staging' | 'mayRead'>, Partial<Pick<CallScope, 'unreadable' | 'conceal'>> {
  readonly index: IndexEngine
  readonly servers: Servers
  /** Finds the files that contain a name. */
  readonly search: Pick<SearchEngine, 'grep'>
  /** Directory of the cache of facts about single files. Without it, nothing is cached. */
  readonly directory?: string
}
