import type { UserPlaces } from '../tree/ignore/user-places.ts'
import type { CallScope } from '../../machine/workspace/call-scope.ts'
import type { ForeignFiles } from './foreign-files.ts'
import type { IndexedSearch } from './indexed-search.ts'
import type { CompileGlob } from './wanted-files.ts'

/** What the searches of one call are made over. */
export interface SearchParts extends Pick<
  CallScope,
  'root' | 'staging' | 'claims' | 'mayRead' | 'mayList' | 'secretFiles' | 'hides'
> {
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
