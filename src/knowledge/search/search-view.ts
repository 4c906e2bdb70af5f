import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import type { SecretReading } from '../../kernel/secret-files.ts'
import type { UserPlaces } from '../tree/ignore/user-places.ts'
import type { ForeignFiles } from './foreign-files.ts'
import type { StagedOverlay } from './staged-overlay.ts'
import type { Wanted } from './wanted-files.ts'

/** Context of a search: which files count, and which differ from disk. */
export interface SearchView {
  readonly wanted: Wanted | undefined
  readonly mayRead: (path: string) => boolean
  readonly secretFiles: SecretReading
  /** Set if rules hide some files, so that ripgrep's counts are not what the caller may know. */
  readonly hides: HiddenPaths | undefined
  readonly staged: StagedOverlay | undefined
  readonly foreign?: ForeignFiles | undefined
  readonly user?: UserPlaces | undefined
}

/** Reports whether rules may hide files below this directory. */
export const hidesBelow = ({ hides }: Pick<SearchView, 'hides'>, directory: string): boolean =>
  hides?.reaches(directory === '.' ? '' : directory) === true

/** Reports whether a search from this directory reaches a file. */
export function isBelow(
  path: string,
  { directory, hidden = true }: { readonly directory: string; readonly hidden?: boolean | undefined },
): boolean {
  const prefix = directory === '.' ? '' : `${directory}/`
  if (!path.startsWith(prefix)) return false
  return hidden || !/(^|\/)\./.test(path.slice(prefix.length))
}
