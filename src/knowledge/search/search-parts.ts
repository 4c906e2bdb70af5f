import type { UserPlaces } from '../tree/ignore/user-places.ts'
import type { CallScope } from '../../machine/workspace/call-scope.ts'
import type { ForeignFiles } from './foreign-files.ts'
import type { IndexedSearch } from './indexed-search.ts'
import type { StoredSearch } from './stored/stored-search.ts'
import type { GrepOptions } from './types.ts'
import type { CompileGlob } from './wanted-files.ts'

/** Dependencies of the searches of one call. */
export interface SearchParts extends Pick<
  CallScope,
  'root' | 'staging' | 'claims' | 'mayRead' | 'mayList' | 'secretFiles' | 'hides' | 'conceal'
> {
  readonly compileGlob: CompileGlob
  /** Left out of every search that does not name one. */
  readonly foreign?: ForeignFiles | undefined
  /** Locations of the user's ignore rules; by default as this process finds them. */
  readonly user?: UserPlaces | undefined
  /** Returns the full text of a cut answer by its `ref:ID`; throws `not_found`. */
  readonly reference: (path: string) => Buffer
  /** Asked first if there is one; a scan covers what it does not answer. */
  readonly indexed?: IndexedSearch | undefined
  /** Asked next for contents: the search of an earlier process, if it is worthwhile. Loaded on first use. */
  readonly stored?: ((options: GrepOptions) => Promise<StoredSearch | undefined>) | undefined
}
