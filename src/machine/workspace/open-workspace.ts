import type { FindConcealer } from '../../kernel/conceal.ts'
import { changesOf } from './changes.ts'
import { mutationsOf } from './mutations.ts'
import { openReading, type ReadingOptions } from './open-reading.ts'
import type { Root } from './root.ts'
import type { Workspace } from './workspace.ts'

interface WorkspaceOptions extends ReadingOptions {
  /** Refuses to replace an existing file that this session never read. */
  readonly strictWrites?: boolean
  /** Reports whether rules let the caller read a path; a failed condition then names the hash. Default: all paths. */
  readonly mayRead?: (path: string) => boolean
  /** Conceals secrets in the diffs of changes. */
  readonly conceal?: FindConcealer | undefined
  /** Takes a warning about a change that was staged all the same. */
  readonly warn?: (warning: string) => void
}

/** Opens the files of a workspace for the claims of one call. Extends an existing opening for reads. */
export function openWorkspace(
  root: Root,
  options: WorkspaceOptions,
  baseReading = openReading(root, options),
): Workspace {
  const { staging, memory, strictWrites = false, mayRead = () => true, conceal, warn = () => {} } = options
  const { view, grant, readHere, ...reading } = baseReading
  return {
    ...reading,
    ...mutationsOf({ view, staging, grant, memory, readHere, strictWrites, mayRead, warn }),
    changes: () => changesOf(staging, view, conceal),
  }
}
