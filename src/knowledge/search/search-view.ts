import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import type { SecretReading } from '../../kernel/secret-files.ts'
import type { UserPlaces } from '../tree/ignore/user-places.ts'
import type { ForeignFiles } from './foreign-files.ts'
import type { StagedOverlay } from './staged-overlay.ts'
import type { Wanted } from './wanted-files.ts'

/** What a search has to know besides what is asked: which files count, and which are not as they are on disk. */
export interface SearchView {
  readonly wanted: Wanted | undefined
  readonly mayRead: (path: string) => boolean
  readonly secretFiles: SecretReading
  /** Rules hide some files, so that what ripgrep counts is not what the caller may know. */
  readonly hides: HiddenPaths | undefined
  readonly staged: StagedOverlay | undefined
  readonly foreign?: ForeignFiles | undefined
  readonly user?: UserPlaces | undefined
}

/** Reports whether rules may hide files below this directory. */
export const hidesBelow = ({ hides }: Pick<SearchView, 'hides'>, directory: string): boolean =>
  hides?.reaches(directory === '.' ? '' : directory) === true

/** Reports whether a file is one that a search from this directory comes to. */
export function isBelow(
  path: string,
  { directory, hidden = true }: { readonly directory: string; readonly hidden?: boolean | undefined },
): boolean {
  const prefix = directory === '.' ? '' : `${directory}/`
  if (!path.startsWith(prefix)) return false
  return hidden || !/(^|\/)\./.test(path.slice(prefix.length))
}
