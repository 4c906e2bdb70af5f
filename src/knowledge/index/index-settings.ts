import type { Tree } from '../tree/tree.ts'
import type { FileTable } from './table/file-table.ts'

/** Settings of an index. */
export interface IndexSettings {
  readonly tree: Tree
  /** The real path of the workspace. */
  readonly directory: string
  /** Directory that stores facts; nothing is stored if undefined. */
  readonly cacheDirectory?: string
  /** Files of the workspace that do not belong to the repository. */
  readonly leaveOut?: (path: string) => boolean
  /** Files of which nothing is stored on disk. */
  readonly isDenied?: (path: string) => boolean
  /** How long a request waits for files being parsed before it is answered with what is known. */
  readonly patienceMs?: number
  /** Parsing starts after this, because callers wait for other work until then. */
  readonly after?: Promise<unknown>
  /** Called at the end, once everything is in the table. */
  readonly keep?: (table: FileTable) => Promise<void>
}
