import type { Claim } from '../../kernel/claim.ts'
import type { Hides } from '../../kernel/hides.ts'
import type { UserPlaces } from '../index/tree/ignore/user-places.ts'
import type { Root } from '../workspace/root.ts'
import type { Staging } from '../workspace/staging.ts'
import type { ForeignFiles } from './foreign-files.ts'
import type { IndexedSearch } from './indexed-search.ts'
import type { CompileGlob } from './wanted-files.ts'

/** What the searches of one call are made over. */
export interface SearchParts {
  readonly root: Root
  /** Searches see the workspace as it would be after a commit. */
  readonly staging: Staging
  readonly claims: readonly Claim[]
  readonly mayRead: (path: string) => boolean
  /** What rules keep from being read, where there are such rules. */
  readonly hides: Hides | undefined
  readonly compileGlob: CompileGlob
  /** Left out of every search that does not name one. */
  readonly foreign?: ForeignFiles | undefined
  /** Where the user's own ignore rules are; as this process finds them unless given. */
  readonly user?: UserPlaces | undefined
  /** The whole of an answer that was cut, by its `ref:ID`; throws `not_found`. */
  readonly reference: (path: string) => Buffer
  /** Asked first, where there is one; what it does not answer is scanned for. */
  readonly indexed?: IndexedSearch | undefined
}
